import { expect, test, vi } from 'vitest'
import { weaknessOf } from '#domain/passwords/passwordRules.ts'
import { PASSWORD } from '#server/testing/callers.ts'
import { createGuessing, whyGuessable } from './guessing.ts'

const words = ['eva.novakova@signs.example', 'Eva', 'Nováková', 'Signs of Brno']
const weakness = async (password: string) => weaknessOf(password, words[0]) ?? (await whyGuessable(password, words))

test.each(
  `iloveyousomuch123 liverpoolfc12345 correct_horse_battery_staple correcthorsebatterystaple CorrectHorseBatteryStaple1
  manchesterunited1 manchesterunited2024 ilovemymother123 jessicaandmichael1 mypasswordis12345 harrypotter123456
  spongebob12345678 michaeljackson123 justinbieber1994 onedirection12345 metallica1981rocks chocolatecake123
  iloveyoubaby12345 Ihateyou1234567890 barcelona10messi10 cristianoronaldo7 December2025!!!! Company123456789
  whatismypassword1 happybirthday2024 merrychristmas123 jesuschrist12345 iamthebestintheworld godisgoodallthetime
  dontforgetthis12 welcometothejungle thequickbrownfoxjumps tobeornottobethatis maytheforcebewithyou1
  P@ssw0rd12345678 M4nch3st3rUn1t3d! 1l0v3y0us0much!! Tr0ub4dor&3Tr0ub4dor&3 drowssapdrowssap1 zaq12wsxcde34rfv
  qwertyuiop[]asdfgh !QAZ2wsx#EDC4rfv 1qaz!QAZ2wsx@WSX 01.01.1990-31.12.1999 1990-12-24-1990-12-24
  Sommerferien2024! Winterurlaub2025! Passwort1234567! geheimespasswort1 Borussiadortmund09 FCBayernMuenchen1
  Deutschland2024! Ichliebedich123456 ichliebedichsosehr Schmetterling2024 Fussball-ist-toll1 thomas.mueller.1980
  AnneMarieSchmidt85 HalloHalloHallo12 Weihnachten2025! guten-morgen-12345 Schatz1234567890
  EvaNovakova1985! novakova-eva-2026 signsofbrno12345 Signs-Of-Brno-2026! welcometowayside1 Wayside2026Wayside
  nov4k0v4signsbrno`
    .split(/\s+/)
    .map((password) => [password.replaceAll('_', ' ')]),
)('what an attacker tries first is refused: %s', async (password) => {
  expect(await weakness(password)).toMatch(/too (common|easy to guess)|must not contain/)
})

test.each([
  PASSWORD,
  'xK9vQm2LpT7wZr4',
  'k7#Rw9!mLq2$ZxV',
  '7fxk-m2pq-wz9d-t4hn-c6rv',
  'velvet tuba orbits mango',
  'quokka pagoda 71 trellis',
  'kite-lantern-gravel-fjord-sublet',
  'MauveOtterJuggles9Pianos',
  'the lamp of pier 9 hums at dusk',
  'Regen klopft an sieben Leitern',
  'drei Möwen stehlen Pommes am Kai',
  'ŽLUŤOUČKÝ kůň úpěl',
  '🚲🌧️ über schmale Brücken nach Hause',
])('what nobody would try is taken: %s', async (password) => {
  expect(await weakness(password)).toBeUndefined()
})

test('passwords that are hard to judge stop nobody else, and are judged one after the other', async () => {
  const hard = ['4@8({[</369&#!1/|0$5+7%2/', '0123456789', 'p4ssw0rd!1$5', '1-1-1-'].map((unit) =>
    unit.repeat(128 / 5).slice(0, 128),
  )
  let turns = 0
  const turn = () => {
    turns += 1
    next = setImmediate(turn)
  }
  let next = setImmediate(turn)
  const judged = await Promise.all(hard.map((password) => whyGuessable(password, words)))
  clearImmediate(next)
  expect(judged.slice(1)).toEqual([expect.any(String), expect.any(String), expect.any(String)])
  // If this thread judged the passwords, its loop would turn only once for each.
  expect(turns).toBeGreaterThan(50)
})

test('who comes when too many wait is asked to come again', async () => {
  const asked = await Promise.allSettled(Array.from({ length: 20 }, () => whyGuessable(PASSWORD, [])))
  const refused = asked.filter(({ status }) => status === 'rejected')
  expect(refused).toHaveLength(4)
  expect(refused[0]).toMatchObject({ reason: { code: 'too_many_requests' } })
})

/** This program simulates a busy machine: reading the dictionaries takes longer than anybody waits. */
const SLOW_PROGRAM = new URL(`data:text/javascript,
  import { parentPort } from 'node:worker_threads';
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
  parentPort.on('message', () => parentPort.postMessage({ guesses: 5 }))`)

test('who waits too long for the dictionaries is told to try again, and the same thread answers later', async () => {
  const why = createGuessing({ program: SLOW_PROGRAM, answeredWithinMs: 700 })
  await expect(why('iloveyousomuch123', [])).rejects.toMatchObject({
    code: 'not_ready',
    status: 503,
    retryAfterSeconds: 5,
  })
  const answer = await vi.waitUntil(() => why('iloveyousomuch123', []).catch(() => undefined), { timeout: 60_000 })
  expect(answer).toMatch(/^This password is too easy to guess/)
})
