import { runTrials } from '../frame/runTrials.ts'
import { abuse } from './abuse/abuse.ts'
import { restore } from './restore/restore.ts'

await runTrials('drill', [abuse, restore])
