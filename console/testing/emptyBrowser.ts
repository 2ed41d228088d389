import { cleanup } from '@testing-library/react'
import { vi } from 'vitest'
import { reach } from '#console/lib/call/reach.ts'
import { learnServerTime, serverNowMs } from '#console/lib/call/serverClock.ts'
import { endSession, readSession } from '#console/lib/call/sessionStore.ts'
import { waitingToasts } from '#console/lib/call/toasts.ts'
import { queryClient } from '#console/lib/call/useCall.ts'
import { waitingQuestions } from '#console/lib/notice/dialogs.ts'
import { standAt } from './standAt.ts'

const SHARED_PORTAL = '[data-mantine-shared-portal-node]:empty'
const RIGHT_TIME_WITHIN_MS = 1_000

/** Test files share a browser, so each test leaves it as if it had just been opened with nobody signed in. */
export function emptyBrowser() {
  cleanup()
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
  waitingToasts.clear()
  waitingQuestions.clear()
  endSession('signedOut')
  queryClient.clear()
  localStorage.clear()
  sessionStorage.clear()
  standAt('http://127.0.0.1/')
  reach.answered()
  learnServerTime(new Date().toUTCString(), Date.now())
  if (!vi.isFakeTimers()) return
  // A timer of the test's clock would never fire by the real clock.
  vi.runOnlyPendingTimers()
  vi.useRealTimers()
}

/** It names what a test has left behind in spite of `emptyBrowser`, so that the faulty test is found. */
export function leftInBrowser(): readonly string[] {
  const found: string[] = []
  for (const element of document.body.children) {
    if (!element.matches(SHARED_PORTAL)) found.push(`<${element.localName}> in the page`)
  }
  if (readSession() !== undefined) found.push('a session')
  if (Math.abs(serverNowMs() - Date.now()) > RIGHT_TIME_WITHIN_MS) found.push('the time of another computer')
  if (queryClient.getQueryCache().getAll().length > 0) found.push('answers of calls')
  return found
}
