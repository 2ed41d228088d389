import { OvertakenNote } from '#console/deviceParts/settings/OvertakenNote.tsx'
import { settingChanges } from '#console/deviceParts/settings/settingFields.ts'
import { Age } from '#console/ui/Age.tsx'
import type { SettingSection } from '#contract/http/devices/setup.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import type { SectionForm } from './useSectionForm.ts'

interface SectionOvertakenProps<Values> {
  readonly form: SectionForm<Values>
  readonly section: SettingSection | undefined
}

const FORM_KEYS: Readonly<Record<string, string>> = {
  touchScreenStatus: 'isTouchEnabled',
  backlightAutomaticStatus: 'isBacklightAutomatic',
}

export function SectionOvertaken<Values>({ form, section }: SectionOvertakenProps<Values>) {
  if (!form.overtaken || !section) return null
  const { section: before } = form.overtaken
  const yours = (argument: string, write: (value: unknown) => string) => {
    const key = (FORM_KEYS[argument] ?? argument) as keyof Values
    return form.isEdited(key) ? write(form.values[key]) : UNKNOWN_TEXT
  }
  const values = settingChanges(section.section, before?.desired ?? before?.reported ?? null, section.desired).map(
    ({ key, label, before: was, after, write }) => ({
      key,
      label,
      before: was,
      theirs: after,
      yours: yours(key, write),
    }),
  )
  return (
    <OvertakenNote values={values}>
      {section.desiredBy ?? 'Somebody'} has applied other settings while you were changing these
      {section.desiredAt && (
        <>
          , <Age at={section.desiredAt} />
        </>
      )}
      . Apply sets yours over them.
    </OvertakenNote>
  )
}
