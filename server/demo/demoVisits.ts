import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/units/time.ts'

/** A visit as the demo's people recorded it; its ids stand in `domain/maintenanceWindows/maintenanceLabels.ts`. */
export interface DemoVisit {
  readonly startAt: Date
  /** Null while they are still there. */
  readonly endAt: Date | null
  readonly reasonId: number
  readonly actionId: number
  readonly resolutionId: number | null
  readonly comment: string
}

interface Kind extends Pick<DemoVisit, 'reasonId' | 'actionId' | 'resolutionId' | 'comment'> {
  readonly minutes: number
}

const INSTALLED: Kind = {
  ...{ reasonId: 4, actionId: 7, resolutionId: 1 },
  ...{ comment: 'Set up, wired and signed off with the customer.', minutes: 260 },
}

const KINDS: readonly Kind[] = [
  {
    ...{ reasonId: 3, actionId: 2, resolutionId: 1 },
    ...{ comment: 'Glass and air inlets cleaned, door seals greased.', minutes: 40 },
  },
  {
    ...{ reasonId: 1, actionId: 10, resolutionId: 1 },
    ...{ comment: 'Filter was full of pollen; 9 °C cooler after the change.', minutes: 55 },
  },
  {
    ...{ reasonId: 7, actionId: 5, resolutionId: 2 },
    ...{ comment: 'Graffiti removed. One scratch stays, the glass is ordered.', minutes: 95 },
  },
  {
    ...{ reasonId: 2, actionId: 4, resolutionId: 4 },
    ...{ comment: 'Shop next door found it too bright in the evening; nothing wrong, curve lowered.', minutes: 30 },
  },
  {
    ...{ reasonId: 9, actionId: 9, resolutionId: 1 },
    ...{ comment: 'Loose terminal behind the mains breaker, fixed and measured.', minutes: 120 },
  },
  {
    ...{ reasonId: 1, actionId: 6, resolutionId: 6 },
    ...{ comment: 'Second fan runs rough; replaced from the van, a spare is on order.', minutes: 75 },
  },
]

const WITHOUT_EVERY = 5
const SPREAD = 60
const INSTALLED_DAYS_BEFORE = 420
const BETWEEN_DAYS = 47

/**
 * Returns the visits of a device, oldest first, in working hours; every fifth has none.
 *
 * @param seed of the device: any whole number, not negative
 * @param isBeingMended its status is Maintenance: somebody has been there for an hour and a half
 */
export function demoVisits(seed: number, now: Date, isBeingMended: boolean): readonly DemoVisit[] {
  const visits: DemoVisit[] = []
  const index = seed % SPREAD
  if (index % WITHOUT_EVERY !== WITHOUT_EVERY - 1) {
    visits.push(visitOf(INSTALLED, now, INSTALLED_DAYS_BEFORE - index, index))
    const count = 1 + (index % 3)
    for (let nth = count; nth > 0; nth--) {
      const kind = KINDS[(index * 2 + nth) % KINDS.length] as Kind
      visits.push(visitOf(kind, now, nth * BETWEEN_DAYS - ((index * 11) % BETWEEN_DAYS) + 1, index + nth))
    }
  }
  if (isBeingMended) {
    const startAt = new Date(now.getTime() - 1.5 * HOUR_MS)
    const comment = 'Water in the cabinet after the storm; drying it and checking every connector.'
    visits.push({ startAt, endAt: null, reasonId: 8, actionId: 1, resolutionId: null, comment })
  }
  return visits
}

function visitOf(kind: Kind, now: Date, daysBefore: number, hourSeed: number): DemoVisit {
  const { minutes, ...words } = kind
  const dayMs = Math.floor(now.getTime() / DAY_MS) * DAY_MS - daysBefore * DAY_MS
  const startAt = new Date(dayMs + (7 + (hourSeed % 8)) * HOUR_MS + ((hourSeed * 17) % 60) * MINUTE_MS)
  return { ...words, startAt, endAt: new Date(startAt.getTime() + minutes * MINUTE_MS) }
}
