import { runTrials } from '../frame/runTrials.ts'
import { abuse } from './abuse/abuse.ts'

await runTrials('drill', [abuse])
