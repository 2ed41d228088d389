import type { ResultingLight, ResultingStep } from '#domain/displays/resultingLight.ts'
import { formatNumber } from '#domain/units/numbers.ts'
import { wallClock } from '#domain/units/wallClock.ts'

const percent = (value: number) => `${formatNumber(value)} %`

/** "00:00 off times · 06:00 ambient light"; a day without a change says only what holds all day. */
export function stepsText(steps: readonly ResultingStep[], timeZone: string): string {
  const [only] = steps
  if (only && steps.length === 1) return lightText(only)
  return steps.map(({ from, ...light }) => `${wallClock(from, timeZone).time} ${lightText(light)}`).join(' · ')
}

function lightText({ rule, isLit, backlightPercent }: ResultingLight): string {
  if (rule === 'offTimes') return 'off times'
  if (!isLit) return 'dark'
  if (rule === 'ambientLight') return 'ambient light'
  return backlightPercent === null ? 'lit' : percent(backlightPercent)
}

/** What decides the backlight now, behind its level: "50 % by ambient light (24 lux)". */
export function ruleText(
  { rule }: ResultingLight,
  until: string | undefined,
  ambientLightLux: number | undefined,
): string {
  const end = until === undefined ? '' : ` until ${until}`
  switch (rule) {
    case 'offTimes':
      return `by off times${end}`
    case 'dayPlan':
      return `by the plan${end}`
    case 'ambientLight':
      return ambientLightLux === undefined
        ? 'by ambient light'
        : `by ambient light (${formatNumber(Math.round(ambientLightLux))} lux)`
    case 'manualLevel':
      return 'set by hand'
  }
}
