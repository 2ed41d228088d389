import { runTrials } from '../frame/runTrials.ts'
import { abuse } from './abuse/abuse.ts'
import { airplane } from './airplane/airplane.ts'
import { citus } from './citus/citus.ts'
import { faults } from './faults/faults.ts'
import { floods } from './floods/floods.ts'
import { processes } from './processes/processes.ts'
import { restore } from './restore/restore.ts'
import { settingsChange } from './settingsChange/settingsChange.ts'
import { soak } from './soak/soak.ts'

await runTrials('drill', [abuse, airplane, citus, faults, floods, processes, restore, settingsChange, soak])
