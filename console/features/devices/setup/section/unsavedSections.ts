import { createContext, useCallback, useContext, useEffect, useState } from 'react'
import { useUnsavedChanges } from '#console/lib/useUnsavedChanges.ts'

type Report = (section: string, isChanged: boolean) => void

export const UnsavedSections = createContext<Report>(() => undefined)

/** It asks once for all sections of a page, because one question for each would follow the other. */
export function useUnsavedSections(): Report {
  const [changed, setChanged] = useState<ReadonlySet<string>>(new Set())
  useUnsavedChanges(changed.size > 0)
  return useCallback((section, isChanged) => {
    setChanged((now) => {
      if (now.has(section) === isChanged) return now
      return new Set(isChanged ? [...now, section] : [...now].filter((other) => other !== section))
    })
  }, [])
}

export function useReportUnsaved(section: string, isChanged: boolean): void {
  const report = useContext(UnsavedSections)
  useEffect(() => {
    report(section, isChanged)
    return () => report(section, false)
  }, [report, section, isChanged])
}
