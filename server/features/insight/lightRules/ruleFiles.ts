import { lightRuleSet } from '#contract/http/insight/lightRules.ts'
import ambientCap from './sets/ambient-cap.json' with { type: 'json' }
import germany from './sets/de-ensikumav.json' with { type: 'json' }
import france from './sets/fr-publicity-at-night.json' with { type: 'json' }

/** The rule sets that come along as data files. They apply to nothing until somebody uses one. */
export const RULE_FILES = Object.entries({
  'fr-publicity-at-night': france,
  'de-ensikumav': germany,
  'ambient-cap': ambientCap,
}).map(([key, file]) => ({ key, set: lightRuleSet.parse(file) }))
