import { runTrials } from '../frame/runTrials.ts'
import type { Campaign } from '../frame/trial.ts'
import { agentKills } from './agentKills/agentKills.ts'
import { claimDoor } from './claimDoor/claimDoor.ts'
import { closingKills } from './closingKills/closingKills.ts'
import { faults } from './faults/faults.ts'
import { fuzz } from './fuzz/fuzz.ts'
import { guesses } from './guesses/guesses.ts'
import { hostileTexts } from './hostileTexts/hostileTexts.ts'
import { lightRecount } from './lightRecount/lightRecount.ts'
import { reportKills } from './reportKills/reportKills.ts'
import { serverKills } from './serverKills/serverKills.ts'
import { updateKills } from './updateKills/updateKills.ts'

const CAMPAIGNS: readonly Campaign[] = [
  agentKills,
  claimDoor,
  closingKills,
  faults,
  fuzz,
  guesses,
  hostileTexts,
  lightRecount,
  reportKills,
  serverKills,
  updateKills,
]

await runTrials('campaign', CAMPAIGNS)
