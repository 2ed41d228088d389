import type { CustomerId, DeviceId } from '#domain/ids.ts'
import { addDevice, ask, type StartedApi } from './callers.ts'

export interface MoveToAdd {
  readonly mover: string
  readonly from: CustomerId
  readonly to: CustomerId
  /** The name of the device, and what people write about it, before and after the move. */
  readonly words: { readonly before: string; readonly after: string }
}

/** Moves a device from one customer to another by the call, with a history of both times. */
export async function addMovedDevice(api: StartedApi, { mover, from, to, words }: MoveToAdd) {
  const device = await addDevice(api.pool, { name: words.before, customerId: from, address: words.before })
  await addHistory(api, device.id, words.before)
  const body = { id: device.id, customerId: to, name: words.after, address: words.after }
  const moved = await ask(api, 'Device/SetDeviceDetails', { token: mover, method: 'POST', body })
  if (moved.statusCode !== 200) throw new Error(`The device was not moved: ${moved.body}`)
  await addHistory(api, device.id, words.after)
  return device
}

/** Adds a row of everything that people do about a device, or are notified of. */
async function addHistory({ pool }: StartedApi, deviceId: DeviceId, words: string): Promise<void> {
  await pool.query(
    `with condition as (
       insert into alert_condition (device_id, field_id, operator_code, value_dec, action_type_id)
       values ($1, 4101, 'GT', 10, 2) returning id),
     opened as (
       insert into alert (device_id, condition_id, created_at, found_at, field_id, operator_code, value_dec, period_id,
         action_type_id, condition_text, metric_value_dec, state_since, acknowledged_at, acknowledge_note)
       select $1, id, now(), now(), 4101, 'GT', 10, 1, 1, $2, 20, now(), now(), $2 from condition returning id, condition_id),
     noticed as (insert into alert_notice (device_id, alert_id, found_at, is_late) select $1, id, now(), false from opened),
     told as (
       insert into alert_event (device_id, alert_id, kind, at, username, text)
       select $1, id, 'opened', now(), $2, $2 from opened),
     maintained as (
       insert into maintenance_entry (device_id, start_at, action_comment, username, alert_id)
       select $1, now(), $2, $2, id from opened),
     commanded as (
       insert into device_command (device_id, name, args, username, state, text, expires_at)
       values ($1, 'ups.reboot', '{}', $2, 'sent', $2, now() + interval '1 minute'))
     insert into alert_state (device_id, condition_id, revision, version, last_at, alert, is_suppressed, open_alert_id)
     select $1, condition_id, 1, 1, now(), 1, false, id from opened`,
    [deviceId, words],
  )
  await pool.query(
    `insert into device_setting (device_id, section, number, desired, desired_at, desired_by, waiting_version, refused,
       refused_at, refused_errors)
     values ($1, 'turnOff', 1, '{}', now(), $2::text, 1, '{}', now(), jsonb_build_array($2::text))
     on conflict (device_id, section, number) do nothing`,
    [deviceId, words],
  )
}
