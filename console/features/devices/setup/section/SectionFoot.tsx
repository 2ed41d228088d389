import { Button } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import type { SettingSection } from '#contract/http/devices/setup.ts'
import type { Readings } from '../read/readings.ts'
import { DesiredNote } from './DesiredNote.tsx'
import { SectionOvertaken } from './SectionOvertaken.tsx'
import { SettingHistory } from './SettingHistory.tsx'
import type { SectionForm, Target } from './useSectionForm.ts'

type Arguments = Readonly<Record<string, unknown>>

export interface SectionFootProps<Values> {
  readonly form: SectionForm<Values>
  readonly target: Target
  readonly section: SettingSection | undefined
  readonly readings: Readings
  readonly sendBack: (
    args: Arguments,
    basedOn: string | null,
  ) => ReturnType<Parameters<SectionForm<Values>['restore']>[0]>
}

/** Every section of the settings ends with what is pending, who set it, and Apply. */
export function SectionFoot<Values>({ form, target, section, readings, sendBack }: SectionFootProps<Values>) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <SectionOvertaken form={form} section={section} />
      <DesiredNote section={section} readings={readings} />
      <div className="setup-actions">
        <ActionButton
          icon={IconHistory}
          variant="subtle"
          className="setup-history-button"
          color="gray"
          aria-haspopup="dialog"
          onClick={() => setIsOpen(true)}
        >
          History
        </ActionButton>
        {form.isChanged && !form.isApplying && (
          <Button variant="subtle" color="gray" onClick={form.discard}>
            Discard changes
          </Button>
        )}
        <Button type="submit" variant={form.isChanged ? 'filled' : 'default'} loading={form.isApplying}>
          Apply
        </Button>
      </div>
      <SettingHistory
        isOpen={isOpen}
        onClose={() => setIsOpen(false)}
        section={target.section}
        number={target.number}
        now={section?.desired ?? section?.reported ?? null}
        restore={(args) => form.restore((_values, basedOn) => sendBack(args, basedOn))}
      />
    </>
  )
}
