/** The examples that teach people what a question can contain; a test reads each of them. */
export const EXAMPLES = [
  'dark',
  'not reporting',
  'alerted',
  'unanswered',
  'on battery',
  'needs attention',
  'offline',
  'in maintenance',
  '> 30 min',
  'since yesterday 18:00',
  'in Lyon',
  'customer Acme',
  'model Totem ALT-1920',
  'serial WS01',
  'named Quai',
  'tagged vip',
  '#vip',
  'client 2.4.1',
  'client < 2.4.1',
  '"any words"',
  'alerts last 24 h',
] as const

export const TAUGHT = EXAMPLES.join(', ')
