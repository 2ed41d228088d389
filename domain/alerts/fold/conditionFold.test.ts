import { expect, test } from 'vitest'
import { MINUTE_MS } from '#domain/units/time.ts'
import { type ConditionState, foldClose, foldReading, UNTOUCHED } from './conditionFold.ts'

const FIVE_MINUTES_MS = 5 * MINUTE_MS

/** Runs one letter a minute: T met, F not met, - no reading, C closed. Returns each change as `minute:change`. */
function run(script: string, periodMs = 0, start: ConditionState = UNTOUCHED) {
  const changes: string[] = []
  let state = start
  for (const [minute, letter] of [...script].entries()) {
    if (letter === '-') continue
    if (letter === 'C') {
      state = foldClose(state)
      continue
    }
    const folded = foldReading(state, periodMs, minute * MINUTE_MS, letter === 'T')
    state = folded.state
    if (folded.change) changes.push(`${minute}:${folded.change}`)
  }
  return { changes, state }
}

test.each([
  ['true opens at once', 'FTTT', ['1:opened']],
  ['false again leaves it open and not active', 'TF', ['0:opened', '1:notActive']],
  ['true again is the same alert, active once more', 'TFT', ['0:opened', '1:notActive', '2:active']],
  ['closed while true, it is not raised again until it has been false', 'TCTTFT', ['0:opened', '5:opened']],
  ['closed when not active, it is raised by the next true one', 'TFCT', ['0:opened', '1:notActive', '3:opened']],
  ['silence changes nothing', 'T-----T', ['0:opened']],
  ['a close of nothing changes nothing', 'CTF', ['1:opened', '2:notActive']],
])('at once: %s', (_, script, changes) => {
  expect(run(script).changes).toEqual(changes)
})

test.each([
  ['it opens at the first reading at least so long after the first true one', 'TTTTTT', ['5:opened']],
  ['one minute less is not enough', 'TTTTT', []],
  ['a false one between starts it anew', 'TTTFTTTTTT', ['9:opened']],
  ['two minutes without a reading are no gap', 'T-T-T-T', ['6:opened']],
  ['a longer silence starts it anew', 'TTT--TTTTTT', ['10:opened']],
  ['again not active, it needs the whole period once more', 'TTTTTTFTTTTTT', ['5:opened', '6:notActive', '12:active']],
  ['a gap does not end what is active', 'TTTTTT-----T', ['5:opened']],
  [
    'closed in a new run before its period, it opens again when the period is over',
    'TTTTTTFTCTTTT',
    ['5:opened', '6:notActive', '12:opened'],
  ],
])('for five minutes: %s', (_, script, changes) => {
  expect(run(script, FIVE_MINUTES_MS).changes).toEqual(changes)
})

test('the state says since when it is true, and of when the last reading was', () => {
  expect(run('FFTT').state).toEqual({
    lastAtMs: 3 * MINUTE_MS,
    trueSinceMs: 2 * MINUTE_MS,
    alert: 'active',
    isSuppressed: false,
  })
})
