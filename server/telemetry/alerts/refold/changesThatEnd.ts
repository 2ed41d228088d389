import type pg from 'pg'
import { foldAlerts } from '#domain/alerts/fold/alertFold.ts'
import { UNTOUCHED } from '#domain/alerts/fold/conditionFold.ts'
import type { DeviceId } from '#domain/ids.ts'
import { SECOND_MS } from '#domain/units/time.ts'
import type { Job } from '#server/jobs/JobRunner.ts'
import { readAlertRule } from '../alertRules.ts'
import { samplesAfter } from '../conditionReadings.ts'
import { refoldMarkStep } from '../evaluate/alertRows.ts'

const LOOK_EVERY_MS = 15 * SECOND_MS

export const IS_ONLINE = (deviceId: string) => `exists (
  select from device_connection c join server_process p on p.id = c.process_id
  where c.device_id = ${deviceId} and not c.is_silent and p.lease_until > now())`

interface ActiveChange {
  readonly device_id: DeviceId
  readonly condition_id: number
  readonly state_since: Date
}

/**
 * Ends alerts of changes while their device is online. Firmware that sends only changes reports nothing once a value
 * rests, so no reading would end them. What is found here is folded where the device's readings are judged.
 */
export const changesThatEndJob: Job = {
  name: 'changes that end',
  everyMs: LOOK_EVERY_MS,
  async run(owner, now, stopped) {
    const { rows } = await owner.query<ActiveChange>(
      `select s.device_id, s.condition_id, a.state_since from alert_condition c
       join alert_state s on s.condition_id = c.id and s.revision = c.revision and s.alert = 1
       join alert a on a.device_id = s.device_id and a.id = s.open_alert_id
       where c.kind = 'change' and c.deleted_at is null and ${IS_ONLINE('s.device_id')}
       order by s.device_id, s.condition_id`,
    )
    for (const active of rows) {
      if (stopped.aborted) return
      if (!(await rests(owner, active, now))) continue
      const { device_id: deviceId, condition_id: conditionId, state_since } = active
      await owner.query(refoldMarkStep([{ deviceId, conditionId, fromMs: state_since.getTime() }]).sql)
    }
  },
}

async function rests(
  owner: pg.Client,
  { device_id: deviceId, condition_id }: ActiveChange,
  now: Date,
): Promise<boolean> {
  const rule = await readAlertRule(owner, condition_id)
  if (rule?.judged.kind !== 'change') return false
  const from = new Date(now.getTime() - 2 * rule.judged.withinMs)
  const samples = await samplesAfter(owner, { deviceId, rule, countsFrom: rule.effectiveAt }, from)
  const { state } = foldAlerts(rule, UNTOUCHED, samples, [], { clockMs: now.getTime() })
  return state.trueSinceMs === undefined
}
