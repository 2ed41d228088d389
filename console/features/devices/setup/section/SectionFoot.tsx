import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import type { SectionForm } from './useSectionForm.ts'

interface SectionFootProps<Values> {
  readonly form: SectionForm<Values>
  readonly besides: ReactNode
}

export function SectionFoot<Values>({ form, besides }: SectionFootProps<Values>) {
  const { changeCount, isChanged, isApplying } = form
  const isOpen = isChanged && !isApplying
  return (
    <footer className="setup-foot">
      <div className="setup-foot-changes" data-changed={isOpen || undefined}>
        <span aria-live="polite">{isOpen ? changesText(changeCount) : 'No changes'}</span>
        {isChanged && besides}
      </div>
      <Button variant="default" disabled={!isOpen} onClick={form.discard}>
        Discard
      </Button>
      <Button type="submit" disabled={!isChanged} loading={isApplying}>
        Apply
      </Button>
    </footer>
  )
}

const changesText = (count: number) => (count === 1 ? '1 unsaved change' : `${count} unsaved changes`)
