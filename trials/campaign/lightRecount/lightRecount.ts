import { LIGHT_KINDS, lightSpans, minutesOfSpans, type Span } from '#domain/darkness/minutes/darkMinutes.ts'
import { type ConfirmedPlans, lightDay, plannedSpans } from '#domain/darkness/minutes/lightDays.ts'
import type { DeviceGuid, DeviceId } from '#domain/ids.ts'
import { type CountedDate, type OwedDevice, stateMonth } from '#domain/statement/lightStatement.ts'
import { firstOf, lastOf } from '#domain/statement/months.ts'
import { addDays } from '#domain/units/wallClock.ts'
import { roundsOf } from '../../frame/options.ts'
import { describeCampaign } from '../../frame/trial.ts'
import { madeHistory } from './madeHistory.ts'
import { recount } from './recount.ts'

/** One of them changes its clocks by an hour, one by half an hour, and one never and is 45 minutes off. */
const ZONES = ['Europe/Oslo', 'Australia/Lord_Howe', 'Asia/Kathmandu'] as const
const MONTHS = Array.from({ length: 12 }, (_, index) => `2026-${String(index + 1).padStart(2, '0')}`)
const UNKNOWN = LIGHT_KINDS.indexOf('unknown')
const [FIRST, LAST] = [firstOf(MONTHS[0] as string), lastOf(MONTHS.at(-1) as string)]

export const lightRecount = describeCampaign({
  name: 'lightRecount',
  proves: 'Another fold of a year of reports finds the same light, second by second, and no unknown second is light.',
  options: roundsOf(400, 'devices, a year each: three zones by turns'),
  brief: { rounds: 3 },
  async run(run) {
    const [all, differing] = [
      { seconds: 0, days: 0 },
      { seconds: 0, unknownAsLight: 0, months: 0 },
    ]
    for (const round of run.rounds()) {
      const timeZone = ZONES[round % ZONES.length] as string
      const whole: Span = { fromMs: lightDay(FIRST, timeZone).fromMs, toMs: lightDay(LAST, timeZone).toMs }
      const history = madeHistory((index) => run.chance(`device ${round}`, index), whole, round % 2 === 0)
      const found = recount(history, whole, timeZone)
      const counted: CountedDate[] = []
      for (const { day, spans } of daysOf(history, timeZone)) {
        counted.push({
          ...{ ...minutesOfSpans(spans), date: day.date, causes: null, plannedBy: null, away: null },
          countedToMs: day.toMs,
        })
        all.days++
        for (const { kind, fromMs, toMs } of spans) {
          all.seconds += (toMs - fromMs) / 1000
          const [expected, end] = [LIGHT_KINDS.indexOf(kind), (toMs - whole.fromMs) / 1000]
          for (let second = (fromMs - whole.fromMs) / 1000; second < end; second++) {
            if (found.kinds[second] === expected) continue
            differing.seconds++
            if (kind === 'lit' && found.kinds[second] === UNKNOWN) differing.unknownAsLight++
          }
        }
      }
      // Minutes are cut from seconds, so only what happens at full minutes is the same in both.
      if (history.isAtMinutes) differing.months += differingMonths(timeZone, counted, found.byMonth, whole)
    }
    console.log(
      `${all.days} days, ${all.seconds} seconds: ${differing.seconds} differ; unknown was light in ${differing.unknownAsLight}; ` +
        `${differing.months} monthly figures differ`,
    )
    for (const [what, howMany] of Object.entries(differing)) if (howMany > 0) run.wrong(`${howMany} ${what}`)
  },
})

/** The light of each day, as the product folds it. */
function* daysOf({ displays, offTimes, maintenance }: ReturnType<typeof madeHistory>, timeZone: string) {
  const plans: ConfirmedPlans = {
    ...{ timeZone, position: undefined, dayPlans: [] },
    offTimes: [{ sinceMs: Number.NEGATIVE_INFINITY, offTimes }],
  }
  const begins = displays.map(() => 0)
  for (let date = FIRST; date <= LAST; date = addDays(date, 1)) {
    const day = lightDay(date, timeZone)
    const readings = displays.map((all, display) => {
      let begin = begins[display] as number
      while ((all[begin]?.atMs ?? day.toMs) < day.fromMs - 120_000) begin++
      begins[display] = begin
      let end = begin
      while ((all[end]?.atMs ?? day.toMs) < day.toMs) end++
      return all.slice(begin, end)
    })
    const within = maintenance.filter(({ fromMs, toMs }) => toMs > day.fromMs && fromMs < day.toMs)
    yield { day, spans: lightSpans(day, plannedSpans(day, plans, new Set()), readings, within) }
  }
}

/** Counts the figures of statements that are other ones than those of the recount. */
function differingMonths(
  timeZone: string,
  counted: readonly CountedDate[],
  byMonth: ReturnType<typeof recount>['byMonth'],
  { toMs }: Span,
): number {
  const device: OwedDevice = {
    ...{ id: 1 as DeviceId, guid: 'guid' as DeviceGuid, name: '', address: '', timeZone, firstDay: '2020-01-01' },
    ...{ beginsMs: null, lastDay: null, hasLeft: false },
  }
  return MONTHS.flatMap((month, index) => {
    const { total } = stateMonth(month, [{ device, counted }], null, toMs)
    const figures = { ...total, lit: total.given }
    return LIGHT_KINDS.filter((kind, at) => figures[kind] * 60 !== byMonth[index]?.[at])
  }).length
}
