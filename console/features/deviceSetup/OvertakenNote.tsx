import { IconUsers } from '@tabler/icons-react'
import { settingChanges } from '#console/device/settingFields.ts'
import { Age } from '#console/ui/Age.tsx'
import type { SettingSection } from '#contract/http/deviceSettings.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import type { SectionForm } from './useSectionForm.ts'

interface OvertakenNoteProps<Values> {
  readonly form: SectionForm<Values>
  readonly section: SettingSection | undefined
}

/** What a form calls an argument of its command by another word. */
const FORM_KEYS: Readonly<Record<string, string>> = {
  touchScreenStatus: 'isTouchEnabled',
  backlightAutomaticStatus: 'isBacklightAutomatic',
}

/** What somebody else has applied while this was being changed: who, and both values, before one's own is applied. */
export function OvertakenNote<Values>({ form, section }: OvertakenNoteProps<Values>) {
  if (!form.overtaken || !section) return null
  const { section: before } = form.overtaken
  const changes = settingChanges(section.section, before?.desired ?? before?.reported ?? null, section.desired)
  const yours = (argument: string, write: (value: unknown) => string) => {
    const key = (FORM_KEYS[argument] ?? argument) as keyof Values
    return form.isEdited(key) ? write(form.values[key]) : UNKNOWN_TEXT
  }
  return (
    <div className="desired-note" data-reason="overtaken" role="alert">
      <p className="desired-note-title">
        <IconUsers size={16} aria-hidden />
        <span>
          {section.desiredBy ?? 'Somebody'} has applied other settings while you were changing these
          {section.desiredAt && (
            <>
              , <Age at={section.desiredAt} />
            </>
          )}
          . Apply sets yours over them.
        </span>
      </p>
      {changes.length > 0 && (
        <table>
          <thead>
            <tr>
              <td />
              <th scope="col">Before</th>
              <th scope="col">Theirs</th>
              <th scope="col">Yours</th>
            </tr>
          </thead>
          <tbody>
            {changes.map(({ key, label, before: was, after, write }) => (
              <tr key={key}>
                <th scope="row">{label}</th>
                <td>{was}</td>
                <td>{after}</td>
                <td>{yours(key, write)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  )
}
