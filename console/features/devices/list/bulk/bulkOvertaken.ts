import { settingChanges } from '#console/deviceParts/settings/settingFields.ts'
import { isSameValue, type SettingValues } from '#domain/displays/presentSettings.ts'
import { BULK_FIELDS, type BulkField } from './bulkSections.ts'
import { type BulkChange, type ComparedDevice, isMeant, PART_NAMES, type SettingsChange } from './bulkSettings.ts'

export interface Meanwhile {
  readonly by: string
  readonly words: readonly string[]
}

/** It returns undefined if nobody has set the displays or sensors of the change meanwhile. */
export function setMeanwhile(change: BulkChange, opened: ComparedDevice, now: ComparedDevice): Meanwhile | undefined {
  if (change.kind === 'status' || 'tags' in change) return undefined
  const anew = now.sections.flatMap((section) => {
    if (section.section !== change.kind || !isMeant(change, section.number)) return []
    const was = sectionOf(opened, change, section.number)
    return section.desiredAt === (was?.desiredAt ?? null) ? [] : [{ section, was }]
  })
  const changed = anew.flatMap(({ section: { number, desired, desiredBy }, was }) => {
    const changes = settingChanges(change.kind, was?.desired ?? was?.reported ?? null, desired)
    const words = changes.map(({ label, before, after }) => `${label} ${before} → ${after}`)
    return words.length === 0
      ? []
      : [{ by: desiredBy ?? 'Somebody', line: named(change, now, number, words.join(' · ')) }]
  })
  if (changed.length === 0) return undefined
  return { by: [...new Set(changed.map(({ by }) => by))].join(', '), words: changed.map(({ line }) => line) }
}

/** It puts the chosen value beside the one that somebody else has set, for the display or sensor of that number. */
export function bothValues(change: SettingsChange, now: ComparedDevice, number: number): string | undefined {
  const chosen = change.chosen as SettingValues
  const present = now.present.find((one) => one.section === change.kind && one.number === number)?.values
  const theirs = { ...present, ...sectionOf(now, change, number)?.desired }
  const fields: readonly BulkField[] = BULK_FIELDS[change.kind]
  const words = fields
    .filter(({ keys }) => keys.some((key) => chosen[key] !== undefined && !isSameValue(chosen[key], theirs[key])))
    .map(
      ({ name, shortName = name, write }) =>
        `${shortName}: theirs ${write(theirs) ?? 'not known'}, yours ${write(chosen)}`,
    )
  return words.length === 0 ? undefined : named(change, now, number, words.join(' · '))
}

const sectionOf = ({ sections }: ComparedDevice, { kind }: SettingsChange, number: number) =>
  sections.find((one) => one.section === kind && one.number === number)

function named({ kind }: SettingsChange, { present }: ComparedDevice, number: number, words: string): string {
  const isOneOfMany = present.filter(({ section }) => section === kind).length > 1
  return isOneOfMany ? `${PART_NAMES[kind]} ${number}: ${words}` : words
}
