import type { DeviceDrivers } from '#contract/http/devices/deviceDrivers.ts'
import type { ComponentModel } from '#domain/components/componentModels.ts'
import { OFFERED_MODELS } from '#domain/components/componentRules.ts'
import type { EditedComponent } from '#domain/components/deviceComponent.ts'
import { networkProblem } from '#domain/drivers/consoleOptions.ts'
import { driverByName } from '#domain/drivers/drivers.ts'
import { readPartKey } from '#domain/drivers/partKey.ts'
import { newComponent } from './componentEdits.ts'
import { partTitle } from './driverLabels.ts'

type Found = NonNullable<DeviceDrivers['found']>
export type FoundPart = Found['parts'][number]

/** How far what was found has come: `offered` and `noComponent` can be accepted here. */
type FoundState = 'used' | 'chosen' | 'taken' | 'noComponent' | 'fileOnly' | 'offered'

export function foundState(found: FoundPart, { parts, client }: Pick<DeviceDrivers, 'parts' | 'client'>): FoundState {
  const { part, driver } = found
  const present = parts.find((one) => one.part === part)
  if (!present) return 'noComponent'
  if (present.used.includes(driver)) return 'used'
  if (present.chosen?.driver === driver) return 'chosen'
  if (present.setBy === 'file') return 'taken'
  return mayBeChosen(found, client) ? 'offered' : 'fileOnly'
}

/** The device would refuse an address outside of the networks that its own file allows. */
export function mayBeChosen({ driver, options }: FoundPart, client: DeviceDrivers['client']): boolean {
  const description = driverByName(driver)
  return (
    options !== null &&
    description !== undefined &&
    !networkProblem(description, options, client?.allowedNetworks ?? [])
  )
}

export const FOUND_NOTES: Readonly<Record<FoundState, string>> = {
  used: 'In use',
  chosen: 'Not applied by the device yet.',
  taken: "The totem's own file has another driver for it.",
  noComponent: 'This device has no such component yet. Accepting adds it.',
  fileOnly: "Only the totem's own file can use it. Run sudo wayside-discover on the device and add it there.",
  offered: '',
}

/** The models of a component that reports as this part. */
export const modelsFor = (part: string): readonly ComponentModel[] =>
  OFFERED_MODELS.filter(({ reports }) => reports !== undefined && reports === readPartKey(part)?.topic)

/** The component of a found part. Nothing is known yet of what it is linked to. */
export const componentFor = (part: string, modelId: number): EditedComponent => ({
  ...newComponent([], modelId),
  ...{ number: readPartKey(part)?.number ?? 1, label: partTitle(part), als: null, touchMatrix: null },
})

/** Parts that the device should have, of which nothing has answered and nothing reads them. */
export const notFoundParts = (found: Found, parts: DeviceDrivers['parts']): readonly string[] =>
  parts
    .filter(({ part, used }) => part !== 'device' && used.length === 0 && !found.parts.some((it) => it.part === part))
    .map(({ part }) => part)
