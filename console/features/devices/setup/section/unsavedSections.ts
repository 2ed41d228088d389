import { createContext, useCallback, useContext, useEffect, useState } from 'react'
import { useUnsavedChanges } from '#console/lib/useUnsavedChanges.ts'
import type { SettingsSection } from '#contract/mqtt/settings.ts'

interface Form {
  readonly section: SettingsSection
  readonly number: number
}

type Report = (form: Form, changeCount: number) => void

/** The number of changes of each form that has any. */
export type Unsaved = ReadonlyMap<string, number>

export const UnsavedSections = createContext<Report>(() => undefined)

const keyOf = ({ section, number }: Form) => `${section}/${number}`

/** It asks once for all sections of a page, because one question for each would follow the other. */
export function useUnsavedSections(): readonly [Unsaved, Report] {
  const [unsaved, setUnsaved] = useState<Unsaved>(new Map())
  useUnsavedChanges(unsaved.size > 0)
  const report = useCallback((form: Form, changeCount: number) => {
    const key = keyOf(form)
    setUnsaved((now) => {
      if ((now.get(key) ?? 0) === changeCount) return now
      const others = [...now].filter(([other]) => other !== key)
      return new Map(changeCount === 0 ? others : [...others, [key, changeCount]])
    })
  }, [])
  return [unsaved, report]
}

export function useReportUnsaved({ section, number }: Form, changeCount: number): void {
  const report = useContext(UnsavedSections)
  useEffect(() => {
    report({ section, number }, changeCount)
    return () => report({ section, number }, 0)
  }, [report, section, number, changeCount])
}

/** The displays and sensors of a section have a form each, and one line in the list. */
export const changesIn = (unsaved: Unsaved, section: string): number =>
  [...unsaved].reduce((sum, [key, count]) => sum + (key.split('/')[0] === section ? count : 0), 0)
