import { isWithin, parseIpAddress, parseIpNetwork } from '../network/ipAddress.ts'
import { type DriverDescription, type OptionProblem, type OptionsOf, readOptions } from './driverDescription.ts'

type Given = Readonly<Record<string, unknown>>

/**
 * Options as the console may set them: of a driver that it may choose, without what is the totem's own file's, and with
 * addresses as numbers, because a name can come to mean another address after it was checked. The server and the device
 * ask this alike.
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
 * Why the device does not connect there for the console; undefined where it may.
 *
 * @param allowedNetworks of the totem's own file
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
