import { expect, test } from 'vitest'
import { learnServerTime } from '#console/lib/call/serverClock.ts'
import { queryClient } from '#console/lib/call/useCall.ts'
import { emptyBrowser, leftInBrowser } from './emptyBrowser.ts'
import { signInAs } from './signInAs.ts'

test('what a test leaves in the shared browser is named', () => {
  document.body.append(document.createElement('aside'))
  signInAs()
  learnServerTime('Fri, 20 Nov 2026 12:00:00 GMT', 0)
  queryClient.setQueryData(['Country'], [])
  expect(leftInBrowser()).toEqual([
    '<aside> in the page',
    'a session',
    'the time of another computer',
    'answers of calls',
  ])

  emptyBrowser()
  expect(leftInBrowser()).toEqual(['<aside> in the page'])
  document.body.replaceChildren()
  expect(leftInBrowser()).toEqual([])
})

test('what is kept for the next visit is gone before the next test', () => {
  localStorage.setItem('wayside.something', '1')
  sessionStorage.setItem('wayside.something', '1')
  emptyBrowser()
  expect([localStorage.length, sessionStorage.length]).toEqual([0, 0])
})
