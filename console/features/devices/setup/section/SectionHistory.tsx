import { IconHistory } from '@tabler/icons-react'
import { useState } from 'react'
import { ActionButton } from '#console/ui/button/ActionButton.tsx'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'
import type { SettingSection } from '#contract/http/devices/setup.ts'
import type { SectionForm, Target } from './useSectionForm.ts'

const SettingHistory = lazyDialog(() => import('./SettingHistory.tsx').then((part) => part.SettingHistory))

type Arguments = Readonly<Record<string, unknown>>

export interface SectionHistoryProps<Values> {
  readonly form: SectionForm<Values>
  readonly target: Target
  readonly section: SettingSection | undefined
  readonly sendBack: (
    args: Arguments,
    basedOn: string | null,
  ) => ReturnType<Parameters<SectionForm<Values>['restore']>[0]>
}

/** Its button stands in the head of the panel, and belongs to the form of one display. */
export function SectionHistory<Values>({ form, target, section, sendBack }: SectionHistoryProps<Values>) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <ActionButton
        icon={IconHistory}
        variant="subtle"
        className="setup-history-button"
        color="gray"
        size="compact-sm"
        aria-haspopup="dialog"
        onClick={() => setIsOpen(true)}
      >
        History
      </ActionButton>
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
