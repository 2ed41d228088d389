import { expect, test } from 'vitest'
import { EVERY_FIELDS, NUMBERED_FIELDS, type NumberedField } from '../catalogue/fieldId.ts'
import { ALERT_PERIODS } from './alertLabels.ts'
import { conditionText, type DescribedCondition } from './conditionText.ts'
import { alertTitle, conditionTitle } from './conditionTitle.ts'
import { operatorsFor } from './operators.ts'
import { SUGGESTED_CONDITIONS } from './suggestedConditions.ts'

test.each([
  ['ECU: Door = "1"', 'Door open'],
  ['ECU: Door ≠ "1"', 'Door closed'],
  ['ECU: Door = "0" for 15 minutes', 'Door closed for 15 minutes'],
  ['Every ECU: Door = "1"', 'Door open'],
  ['Router relay: Router relay = "1"', 'Router relay off'],
  ['Router relay: Router relay ≠ "0"', 'Router relay off'],
  ['Camera 2: Camera = 0', 'Camera 2: Camera offline'],
  ['Display 2: Lamp fault = "1"', 'Display 2: Lamp fault'],
  ['Display: Lamp fault ≠ "1"', 'Lamp fault: no'],
  ['Device: Out of order = "2"', 'Out of order'],
  ['Device: Out of order ≠ "1"', 'Out of order'],
  ['Display 2: Out-of-order status = "ARGB"', 'Display 2: No picture'],
  ['Display: Out-of-order status = "HDMI-1"', 'Out-of-order status is HDMI-1'],
  ['UPS: UPS status ≠ "on line interactive normal"', 'Running on battery'],
  ['UPS: UPS status ≠ "on line interactive normal" for 5 minutes', 'Running on battery for 5 minutes'],
  ['UPS: UPS alarm ≠ ""', 'UPS alarm is not empty'],
  ['UPS: Battery test = "failed"', 'Battery test failed'],
  ['Display: Internal temperature (°C) > 60.5 for 15 minutes', 'Display too hot for 15 minutes, limit 60.5 °C'],
  ['Display 3: Internal temperature (°C) ≤ -5', 'Display 3 too cold, limit -5 °C'],
  ['Every display: Internal temperature (°C) > 40', 'Display too hot, limit 40 °C'],
  ['UPS: UPS load (%) > 80, cleared at < 70', 'UPS load too high, limit 80 %'],
  ['UPS: UPS battery remaining (s) < 300', 'UPS battery remaining too low, limit 5 min'],
  ['Router: Data budget used (%) ≥ 90', 'Data budget used up to 90 %'],
  ['Display: Brightness = 0', 'Brightness is 0'],
  [
    'UPS: UPS status = "on battery" and UPS battery (%) < 30 for 5 minutes',
    'UPS status is on battery and UPS battery below 30 % for 5 minutes',
  ],
  [
    'Display 2: Backlight level (%) = 0 or Display: Fan 1 speed (rpm) < 10',
    'Display 2: Backlight level is 0 % or Display: Fan 1 speed below 10 rpm',
  ],
  ['Display 2: Lamp fault = "1" and Backlight level (%) < 10', 'Display 2: Lamp fault and backlight level below 10 %'],
  ['Display: Backlight level (%) not reported for 10 minutes', 'Backlight level not reported for 10 minutes'],
  [
    'Display 2: Internal temperature (°C) changes by more than 5 within 10 minutes',
    'Display 2: Internal temperature changes by more than 5 °C within 10 minutes',
  ],
  ['Not reporting for 30 minutes', 'Not reporting for 30 minutes'],
  ['Dark against plan for 5 minutes', 'Dark against plan for 5 minutes'],
  // The catalogue no longer has the field, or the text contains quotes.
  ['UPS: Load (%) > 80, cleared at < 70', 'UPS: Load (%) above 80'],
  // An earlier version raised the alert.
  ['UPS: UPS load (%) > 80, over at < 70', 'UPS load too high, limit 80 %'],
  ['Silent for 30 minutes', 'Not reporting for 30 minutes'],
  ['UPS: UPS alarm = "a "b" > c"', 'UPS: UPS alarm is a b above c'],
])('%s is told as: %s', (conditionText, title) => {
  expect(alertTitle({ conditionText })).toBe(title)
})

const HEAT = 'Display 2: Internal temperature (°C) > 40 for 15 minutes'

test.each([
  [{ conditionText: 'Display: Internal temperature (°C) > 40', value: 48.5 }, 'Display too hot: 48.5 °C, limit 40 °C'],
  [{ conditionText: HEAT, value: 48.5 }, 'Display 2 too hot for 15 minutes: 48.5 °C, limit 40 °C'],
  [
    { conditionText: HEAT, value: 48.5, title: 'Panel glows' },
    'Display 2: Panel glows for 15 minutes: 48.5 °C, limit 40 °C',
  ],
  [{ conditionText: 'UPS: UPS battery (%) < 30', value: 25 }, 'UPS battery too low: 25 %, limit 30 %'],
  [
    { conditionText: 'UPS: UPS battery remaining (s) < 300', value: 60 },
    'UPS battery remaining too low: 1 min, limit 5 min',
  ],
  [{ conditionText: 'Router: Data budget used (%) ≥ 90', value: 93 }, 'Data budget used up to 90 %: 93 %'],
  [{ conditionText: 'Display: Brightness = 0', value: 0 }, 'Brightness is 0'],
  [{ conditionText: 'ECU: Door = "1"', title: 'Cabinet open' }, 'Cabinet open'],
  [{ conditionText: 'Not reporting for 30 minutes', title: 'Lost' }, 'Lost for 30 minutes'],
])('%o is titled with its value', (alert, title) => {
  expect(alertTitle(alert)).toBe(title)
})

test.each([
  [HEAT, 'Display 2 too hot'],
  ['UPS: UPS status ≠ "on line interactive normal" for 5 minutes', 'Running on battery'],
  ['Not reporting for 30 minutes', 'Not reporting'],
  ['Display: Backlight level (%) not reported for 10 minutes', 'Backlight level not reported'],
])('the condition %s is called %s, because its limit and its time stand beside it', (text, title) => {
  expect(conditionTitle(text)).toBe(title)
})

const FIELDS = [...NUMBERED_FIELDS, ...EVERY_FIELDS]
const thresholds = ({ field }: NumberedField) =>
  field.attributeTypeId === 1 ? [0, 12.5] : ['0', '1', '2', 'some text', '']

function describedOf(one: NumberedField): readonly DescribedCondition[] {
  const compared = operatorsFor(one.field.attributeTypeId).flatMap(({ code: operator }) =>
    thresholds(one).map((threshold) => ({ fieldId: one.id, operator, threshold })),
  )
  const second = { fieldId: 5102, operator: 'LT', threshold: 30 } as DescribedCondition['second']
  const more = { second, minutes: 10, periodId: 1 }
  return compared.flatMap((comparison) => [
    ...ALERT_PERIODS.map(({ id: periodId }) => ({ ...comparison, periodId })),
    { ...comparison, periodId: 1, clearLevel: 3 },
    ...(['and', 'or'] as const).map((joinedBy) => ({ ...comparison, ...more, joinedBy, kind: 'pair' as const })),
    ...(['change', 'absent', 'silent', 'dark'] as const).map((kind) => ({ ...comparison, ...more, kind })),
  ])
}

test('a title of whatever can be asked of any field reads as words', () => {
  const texts = FIELDS.flatMap(describedOf).map(conditionText)
  expect(texts.length).toBeGreaterThan(5000)
  expect(
    texts
      .map((conditionText) => alertTitle({ conditionText }))
      .filter((title) => /[=≠<>≤≥"]|\(°C\)|\(%\)|^$/.test(title)),
  ).toEqual([])
})

test('what every installation begins with is told by its title', () => {
  const levels = SUGGESTED_CONDITIONS.filter(({ kind }) => kind === 'level')
  const titles = levels.map(({ fieldId, operatorId, value: threshold }) => {
    const operator = operatorsFor(1).find(({ id }) => id === operatorId)?.code ?? 'EQ'
    return conditionTitle(conditionText({ fieldId, operator, threshold, periodId: 1 }))
  })
  expect(titles).toEqual(levels.map(({ title }) => title))
})
