import { type CatalogueField, counted, measured, state, text } from './field.ts'

const FANS = [1, 2, 3, 4] as const

/** What a display reports (event type 4). New fields go to the end, with the next ordinal. */
export const DISPLAY_FIELDS = [
  measured(1, 'internal_temp', 'Internal temperature', '°C', 'temperature'),
  measured(2, 'intake_temp', 'Intake temperature', '°C', 'temperature'),
  measured(3, 'exhaust_temp', 'Exhaust temperature', '°C', 'temperature'),
  // The number of the liquid sensor is 0 to 1023 and about 1000 when dry; it is not a percentage.
  measured(4, 'humidity', 'Humidity', undefined, 'humidity', { display: 'liquid' }),
  ...FANS.map((fan) => measured(4 + fan, `fan${fan}_speed`, `Fan ${fan} speed`, 'rpm', 'fan')),
  ...FANS.map((fan) =>
    measured(8 + fan, `fan${fan}_speed_target`, `Fan ${fan} speed target`, '%', 'fan', {
      hiddenFrom: ['metrics', 'conditions'],
    }),
  ),
  measured(13, 'backlight_level', 'Backlight level', '%', 'brightness'),
  measured(14, 'brightness', 'Brightness', undefined, 'brightness'),
  measured(15, 'contrast', 'Contrast', undefined, 'contrast'),
  measured(16, 'gamma_value', 'Gamma', undefined, 'contrast'),
  measured(17, 'red_color_balance', 'Red colour balance', undefined, 'color'),
  measured(18, 'green_color_balance', 'Green colour balance', undefined, 'color'),
  measured(19, 'blue_color_balance', 'Blue colour balance', undefined, 'color'),
  measured(20, 'ambient_light', 'Ambient light', 'lux', 'light'),
  state(21, 'backlight_automatic_status', 'Backlight automation', 'brightness', 'backlightAutomation'),
  measured(22, 'min_backlight', 'Automatic backlight minimum', '%', 'brightness'),
  measured(23, 'max_backlight', 'Automatic backlight maximum', '%', 'brightness'),
  measured(24, 'min_ambient_light', 'Ambient light for minimum backlight', 'lux', 'light'),
  measured(25, 'max_ambient_light', 'Ambient light for maximum backlight', 'lux', 'light'),
  text(26, 'touch_matrix_status', 'Touch screen', 'touch', 'touchScreen', { hiddenFrom: ['conditions'] }),
  text(27, 'source', 'Source', 'source'),
  text(28, 'source_search_status', 'Source search', 'source', 'text', { hiddenFrom: ['conditions'] }),
  text(29, 'out_of_order_status', 'Out-of-order status', 'source', 'displaySource', { hiddenFrom: ['conditions'] }),
  counted(30, 'uptime', 'Display uptime', 's', 'clock', 'duration'),
  // A sensor on the glass reports percent of the light at its setup, and exactly 0 if there is none.
  measured(31, 'panel_light', 'Light at the panel', '%', 'light', { tile: 'once reported' }),
  state(32, 'lamp_fault', 'Lamp fault', 'brightness', 'yesWhenOne', { tile: 'once reported' }),
  // Other faults that the display detects in itself, as words separated by commas; `none` if there are none.
  text(33, 'diagnosis', 'Diagnosis', 'source', 'text', { hiddenFrom: ['metrics'], tile: 'once reported' }),
] satisfies readonly CatalogueField[]
