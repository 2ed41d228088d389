import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nextStep, type RolloutFacts, type RolloutStep, type WaveFacts } from './nextStep.ts'
import type { RolloutState } from './states.ts'
import { planWaves } from './wavePlan.ts'

const NOW_MS = 1_000_000
const wave = (number: number, counts: Partial<WaveFacts> = {}): WaveFacts => ({
  number,
  open: 0,
  underWay: 0,
  done: 0,
  observed: 0,
  failed: 0,
  countedFailed: 0,
  countedReached: 0,
  ...counts,
})
const rollout = (facts: Partial<RolloutFacts> = {}): RolloutFacts => ({
  state: 'running',
  haltFailurePercent: 5,
  waitMs: 60_000,
  begunWave: 1,
  settledAtMs: undefined,
  waves: [wave(1, { done: 10, countedReached: 10 }), wave(2, { open: 90 })],
  ...facts,
})

test.each<[string, Partial<RolloutFacts>, RolloutStep | undefined]>([
  ['begins with the first wave', { begunWave: 0 }, { kind: 'beginWave', wave: 1 }],
  ['notes when a wave is over', {}, { kind: 'settle' }],
  ['waits as long as it was told', { settledAtMs: NOW_MS - 59_999 }, undefined],
  ['begins the next wave after that', { settledAtMs: NOW_MS - 60_000 }, { kind: 'beginWave', wave: 2 }],
  [
    'waits anew when somebody came back and is at it',
    { settledAtMs: NOW_MS - 60_000, waves: [wave(1, { done: 9, open: 1, underWay: 1 }), wave(2, { open: 90 })] },
    { kind: 'unsettle' },
  ],
  [
    'waits for devices that are observed',
    { waves: [wave(1, { done: 10, observed: 1 }), wave(2, { open: 90 })] },
    undefined,
  ],
  [
    'waits anew when a device has to show again that it keeps running',
    { settledAtMs: NOW_MS - 60_000, waves: [wave(1, { done: 10, observed: 1 }), wave(2, { open: 90 })] },
    { kind: 'unsettle' },
  ],
  ['is not finished while one is observed', { begunWave: 2, waves: [wave(1, { done: 9, observed: 1 })] }, undefined],
  [
    'does not wait for devices that are away',
    { waves: [wave(1, { done: 5, open: 5 }), wave(2, { open: 90 })] },
    { kind: 'settle' },
  ],
  [
    'learns nothing from a wave of which nobody was there',
    { waves: [wave(1, { open: 10 }), wave(2, { open: 90 })] },
    undefined,
  ],
  [
    'halts at the share',
    { waves: [wave(1, { done: 19, failed: 1, countedFailed: 1, countedReached: 20 }), wave(2, { open: 90 })] },
    { kind: 'halt', reason: '1 of 20 devices failed, which is 5 % or more.' },
  ],
  [
    'goes on below it',
    { waves: [wave(1, { done: 20, failed: 1, countedFailed: 1, countedReached: 21 }), wave(2, { open: 90 })] },
    { kind: 'settle' },
  ],
  [
    'never halts when it was not told to',
    {
      haltFailurePercent: undefined,
      waves: [wave(1, { failed: 5, countedFailed: 5, countedReached: 5 }), wave(2, { open: 1 })],
    },
    { kind: 'settle' },
  ],
  [
    'finishes when nobody is left',
    { waves: [wave(1, { failed: 1, countedFailed: 1, countedReached: 1 })] },
    { kind: 'finish' },
  ],
  ['finishes although it was halted', { state: 'halted', waves: [wave(1, { done: 1 })] }, { kind: 'finish' }],
  ['does nothing while it is paused', { state: 'paused', settledAtMs: 0 }, undefined],
  ['does nothing while it is halted', { state: 'halted', settledAtMs: 0 }, undefined],
  ['is over when it was stopped', { state: 'stopped', waves: [wave(1, { done: 1 })] }, undefined],
  ['waits for the last wave', { begunWave: 2, settledAtMs: 0 }, undefined],
])('%s', (_words, facts, step) => {
  expect(nextStep(rollout(facts), NOW_MS)).toEqual(step)
})

interface ModelDevice {
  readonly wave: number
  state: 'waiting' | 'offered' | 'busy' | 'done' | 'failed'
  isConnected: boolean
}

/** Models the rules with the job around them: while it runs, devices of begun waves get assignments. */
class Model {
  readonly devices: ModelDevice[]
  readonly waveCount: number
  state: RolloutState = 'running'
  begunWave = 0
  settledAtMs: number | undefined
  nowMs = 0

  constructor(connected: readonly boolean[], firstGroup: number, wavePercents: readonly number[]) {
    const waves = planWaves([...connected.keys()], { firstGroup, wavePercents })
    this.waveCount = waves.length
    this.devices = waves.flatMap((ids, index) =>
      ids.map((id) => ({ wave: index + 1, state: 'waiting' as const, isConnected: connected[id] === true })),
    )
  }

  tick(): void {
    for (let step = this.#step(); step !== undefined; step = this.#step()) this.#take(step)
    if (this.state !== 'running') return
    for (const device of this.devices) {
      if (device.state === 'waiting' && device.wave <= this.begunWave) device.state = 'offered'
    }
  }

  /** Nothing may go on if a fifth of the reached devices has failed. */
  mayGoOn(): boolean {
    const failed = this.#facts().waves.reduce((total, { countedFailed }) => total + countedFailed, 0)
    const reached = this.#facts().waves.reduce((total, { countedReached }) => total + countedReached, 0)
    return this.state !== 'running' || failed * 5 < reached || failed === 0
  }

  #step = () => nextStep(this.#facts(), this.nowMs)

  #take(step: RolloutStep): void {
    if (step.kind === 'halt') {
      this.state = 'halted'
      for (const device of this.devices) if (device.state === 'offered') device.state = 'waiting'
    } else if (step.kind === 'finish') this.state = 'finished'
    else if (step.kind === 'beginWave') {
      this.begunWave = step.wave
      this.settledAtMs = undefined
    } else this.settledAtMs = step.kind === 'settle' ? this.nowMs : undefined
  }

  #facts(): RolloutFacts {
    const waves = Array.from({ length: this.waveCount }, (_, index) => {
      const own = this.devices.filter((device) => device.wave === index + 1)
      const count = (is: (device: ModelDevice) => boolean) => own.filter(is).length
      const isOpen = ({ state }: ModelDevice) => state !== 'done' && state !== 'failed'
      return {
        number: index + 1,
        open: count(isOpen),
        underWay: count((device) => isOpen(device) && device.isConnected),
        done: count(({ state }) => state === 'done'),
        observed: 0,
        failed: count(({ state }) => state === 'failed'),
        countedFailed: count(({ state }) => state === 'failed'),
        countedReached: count(({ state, isConnected }) => state !== 'waiting' && (state !== 'offered' || isConnected)),
      }
    })
    const { state, begunWave, settledAtMs } = this
    return { state, haltFailurePercent: 20, waitMs: 10, begunWave, settledAtMs, waves }
  }
}

const event = fc.record({
  device: fc.nat(),
  what: fc.constantFrom('begins', 'done', 'failed', 'failed', 'connects', 'leaves'),
  minutes: fc.nat(20),
})

test('whatever devices do and in whatever order: after a halt nobody new is offered anything, and waves come in order', () => {
  fc.assert(
    fc.property(
      fc.array(fc.boolean(), { minLength: 1, maxLength: 30 }),
      fc.nat(5),
      fc.constantFrom([100], [50, 100], [10, 30, 100]),
      fc.array(event, { maxLength: 120 }),
      (connected, firstGroup, percents, events) => {
        const model = new Model(connected, firstGroup, percents)
        let halted: readonly ModelDevice[] | undefined
        for (const { device, what, minutes } of events) {
          model.nowMs += minutes
          model.tick()
          expect(model.mayGoOn()).toBe(true)
          if (model.state === 'halted') halted ??= model.devices.filter(({ state }) => state === 'waiting')
          play(model.devices[device % model.devices.length] as ModelDevice, what)
          expect(halted?.every(({ state }) => state === 'waiting') ?? true).toBe(true)
          expect(model.devices.every(({ wave, state }) => state === 'waiting' || wave <= model.begunWave)).toBe(true)
        }
      },
    ),
    { numRuns: 500 },
  )
})

test('when everybody is there and nobody fails, every wave comes and it finishes', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.nat(5), (count, firstGroup) => {
      const model = new Model(Array<boolean>(count).fill(true), firstGroup, [10, 50, 100])
      for (let round = 0; round < 10 && model.state === 'running'; round++) {
        model.tick()
        for (const device of model.devices) if (device.state === 'offered') device.state = 'done'
        model.tick()
        model.nowMs += 10
      }
      model.tick()
      expect(model.state).toBe('finished')
    }),
  )
})

/** Only assigned updates begin, and only connected devices report. */
function play(device: ModelDevice, what: string): void {
  if (what === 'connects') device.isConnected = true
  if (what === 'leaves') device.isConnected = false
  if (!device.isConnected || device.state === 'waiting' || device.state === 'done' || device.state === 'failed') return
  if (what === 'begins') device.state = 'busy'
  if (what === 'done') device.state = 'done'
  if (what === 'failed') device.state = 'failed'
}
