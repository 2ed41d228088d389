import type { CommandArguments } from '#contract/mqtt/command.ts'
import type { SettingsSection } from '#contract/mqtt/settings.ts'
import type { DeviceStore } from '../store/deviceStore.ts'

const REMEMBERED_AS = 'applied'

type SectionArguments<Section extends SettingsSection> = CommandArguments<`${Section}.apply`>

/** The arguments of each section as they were last carried out, by command or by document; kept on disk. */
export interface AppliedSections {
  get<Section extends SettingsSection>(section: Section, number: number): SectionArguments<Section> | undefined
  keep<Section extends SettingsSection>(section: Section, number: number, args: SectionArguments<Section>): void
}

export function openAppliedSections(store: DeviceStore): AppliedSections {
  const applied = JSON.parse(store.remembered(REMEMBERED_AS) ?? '{}') as Record<string, unknown>
  const nameOf = (section: SettingsSection, number: number) => `${section}/${number}`
  return {
    get: <Section extends SettingsSection>(section: Section, number: number) =>
      applied[nameOf(section, number)] as SectionArguments<Section> | undefined,
    keep: (section, number, args) => {
      applied[nameOf(section, number)] = args
      store.remember(REMEMBERED_AS, JSON.stringify(applied))
    },
  }
}
