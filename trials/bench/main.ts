import { runTrials } from '../frame/runTrials.ts'
import { alerts } from './alerts/alerts.ts'
import { cells } from './cells/cells.ts'
import { chart } from './chart/chart.ts'
import { closed } from './closed/closed.ts'
import { commands } from './commands/commands.ts'
import { fleet } from './fleet/fleetSize.ts'
import { incidents } from './incidents/incidents.ts'
import { ingest } from './ingest/ingest.ts'
import { map } from './map/map.ts'
import { overview } from './overview/overview.ts'
import { proof } from './proof/proof.ts'
import { query } from './query/query.ts'
import { statement } from './statement/statement.ts'
import { waiting } from './waiting/waiting.ts'
import { web } from './web/web.ts'

await runTrials('bench', [
  ingest,
  query,
  alerts,
  commands,
  overview,
  chart,
  map,
  waiting,
  incidents,
  web,
  fleet,
  closed,
  statement,
  proof,
  cells,
])
