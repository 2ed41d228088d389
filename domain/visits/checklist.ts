/** What every visit to a display in the street looks at, in the order of a walk around it. */
export const VISIT_CHECKLIST = [
  'Every display is lit and undamaged',
  'The glass is clean',
  'Doors and locks close',
  'No water, dirt or animals inside',
  'Fans and filters are clean',
  'Plugs and cables are firm',
] as const
