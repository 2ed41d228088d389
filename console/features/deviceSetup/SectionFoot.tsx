import { Button } from '@mantine/core'
import type { SettingSection } from '#contract/http/deviceSettings.ts'
import { DesiredNote } from './DesiredNote.tsx'
import type { Readings } from './readings.ts'
import type { SectionForm } from './useSectionForm.ts'

interface SectionFootProps<Values> {
  readonly form: SectionForm<Values>
  readonly section: SettingSection | undefined
  readonly readings: Readings
}

/** What every section of the settings ends with: what the device does not have yet, and Apply. */
export function SectionFoot<Values>({ form, section, readings }: SectionFootProps<Values>) {
  return (
    <>
      <DesiredNote section={section} readings={readings} />
      <div className="setup-actions">
        {form.isChanged && !form.isApplying && (
          <Button variant="subtle" color="gray" onClick={form.discard}>
            Discard changes
          </Button>
        )}
        <Button type="submit" variant={form.isChanged ? 'filled' : 'default'} loading={form.isApplying}>
          Apply
        </Button>
      </div>
    </>
  )
}
