import { isWithin, parseIpAddress, parseIpNetwork } from '../network/ipAddress.ts'
import { type DriverDescription, type OptionProblem, type OptionsOf, readOptions } from './driverDescription.ts'

type Given = Readonly<Record<string, unknown>>

/**
 * Reads options that the console may set: only for drivers that it may choose, without options of the device's own
 * file, and with numeric addresses, because a name can resolve to another address after the check. The server and the
 * device share it.
 */
export function readConsoleOptions<Description extends DriverDescription>(
  description: Description,
  given: Given,
): { readonly options: OptionsOf<Description> } | { readonly problem: OptionProblem } {
  if (description.chosenBy !== 'console') {
    return { problem: { field: 'driver', reason: "is chosen in the totem's own file alone" } }
  }
  for (const [field, { kind }] of Object.entries(description.options)) {
    const value = given[field]
    if (value === undefined || value === null) continue
    if (kind === 'local') return { problem: { field, reason: "is set in the totem's own file alone" } }
    if (kind === 'address' && parseIpAddress(String(value)) === undefined) {
      return { problem: { field, reason: 'must be an IP address; a name is for the totem’s own file alone' } }
    }
  }
  return readOptions(description, given)
}

/**
 * Returns why the device does not connect to an address of the console; undefined if it may.
 *
 * @param allowedNetworks from the device's own file
 */
export function networkProblem(
  description: DriverDescription,
  given: Given,
  allowedNetworks: readonly string[],
): OptionProblem | undefined {
  for (const [field, { kind }] of Object.entries(description.options)) {
    if (kind !== 'address' || typeof given[field] !== 'string') continue
    const address = parseIpAddress(given[field])
    const networks = allowedNetworks.map(parseIpNetwork).filter((network) => network !== undefined)
    if (address && networks.some((network) => isWithin(address, network))) continue
    const allowed = allowedNetworks.length === 0 ? 'allows none' : `allows ${allowedNetworks.join(', ')}`
    return { field, reason: `lies in no network that the totem's own file allows the console; it ${allowed}` }
  }
  return undefined
}
