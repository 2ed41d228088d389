import { useEffect } from 'react'
import { queryClient, useCall } from '#console/lib/call/useCall.ts'
import { useIsQuiet } from '#console/lib/call/whenQuiet.ts'
import { getLastVisit } from '#contract/http/people/signIn.ts'
import { MINUTE_MS } from '#domain/units/time.ts'

/** The server hears no more often that somebody is here; a visit ends after half an hour (rules/overview 14). */
const NOTE_EVERY_MS = 5 * MINUTE_MS
const INPUTS = ['pointerdown', 'keydown'] as const

/** It is the end of the visit before this one; undefined in the first visit, and as long as nobody knows. */
export const useLastVisit = (): string | undefined =>
  useCall(getLastVisit, {}, { freshMs: NOTE_EVERY_MS }).data?.before ?? undefined

/**
 * It tells the server while somebody is here. Only what a person does counts, because an open page asks by itself all
 * night.
 */
export function useNoteVisit(): void {
  useCall(getLastVisit, {}, { freshMs: NOTE_EVERY_MS, enabled: useIsQuiet() })
  useEffect(() => {
    const note = () => void queryClient.refetchQueries({ queryKey: [getLastVisit.path], stale: true })
    for (const input of INPUTS) window.addEventListener(input, note, { passive: true })
    return () => {
      for (const input of INPUTS) window.removeEventListener(input, note)
    }
  }, [])
}
