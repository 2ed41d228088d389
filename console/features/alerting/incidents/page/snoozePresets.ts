import { momentOfField, onViewersClock, startOfViewersDay, viewersDaysLater } from '#console/lib/time/viewerZone.ts'
import { HOUR_MS } from '#domain/units/time.ts'

interface SnoozePreset {
  readonly label: string
  readonly until: (now: Date) => Date
}

const MORNING = '08:00:00'

export const SNOOZE_PRESETS: readonly SnoozePreset[] = [
  { label: 'For 1 hour', until: (now) => new Date(now.getTime() + HOUR_MS) },
  { label: 'Until tomorrow 8:00', until: tomorrowMorning },
  { label: 'For 3 days', until: (now) => viewersDaysLater(now, 3) },
]

function tomorrowMorning(now: Date): Date {
  const tomorrow = startOfViewersDay(now, 1)
  return momentOfField(`${onViewersClock(tomorrow).date} ${MORNING}`) ?? tomorrow
}
