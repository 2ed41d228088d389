import type pg from 'pg'
import type { CustomerId, DeviceId } from '#domain/ids.ts'
import type { Request } from '#server/testing/callers.ts'
import { insertRelease, releaseFile } from '#server/testing/releases.ts'
import type { Expectation, Target } from './expectation.ts'

interface World {
  readonly api: { readonly pool: pg.Pool }
  readonly customers: Record<Target, CustomerId>
  readonly devices: Record<Target, { readonly id: DeviceId }>
}

const ADMIN = 1
const MANAGER = 2
const SEER = 8

/** Expectations about device software: a customer's admins may update its devices, all else is for staff. */
export function clientExpectations(world: () => World): Readonly<Record<string, Expectation>> {
  let versions = 0
  let releaseId = 0
  let rolloutId = 0
  let upload: unknown

  async function addRelease() {
    versions++
    releaseId = await insertRelease(world().api.pool, `1.0.${versions}`)
  }

  /** Adds a rollout with one device, in states that the call accepts. */
  const addRollout =
    (state: string, deviceState = 'failed') =>
    async () => {
      await addRelease()
      const { api, devices } = world()
      await api.pool.query('delete from client_update')
      const { rows } = await api.pool.query(
        `insert into client_rollout (release_id, state, is_downgrade, wait_minutes, wave_count, begun_wave, created_by_name)
       values ($1, $2, false, 0, 1, 1, 'somebody') returning id`,
        [releaseId, state],
      )
      rolloutId = rows[0].id
      await api.pool.query('insert into client_update (device_id, rollout_id, wave, state) values ($1, $2, 1, $3)', [
        devices.own.id,
        rolloutId,
        deviceState,
      ])
    }

  const staff = (asked: () => Request, prepare: () => Promise<void> = async () => undefined): Expectation => ({
    allowed: { staffWith: [ADMIN] },
    asked,
    prepare,
  })
  const ofRollout = (state: string) => staff(() => ({ method: 'POST', body: { id: rolloutId } }), addRollout(state))
  const plan = () => ({ releaseId, choice: { deviceIds: [world().devices.own.id] } })
  const free = async () => {
    await addRelease()
    await world().api.pool.query('delete from client_update')
  }

  return {
    'Device/UpdateClientVersion': {
      allowed: [ADMIN],
      about: 'device',
      // An own device stands beside it, so that a hidden one has to refuse the whole call.
      asked: (target) => ({ method: 'POST', body: [world().devices.own.id, world().devices[target].id] }),
      prepare: free,
    },
    'Device/CheckClientUpdate': {
      allowed: [ADMIN],
      about: 'device',
      asked: (target) => ({
        method: 'POST',
        body: { deviceIds: [world().devices.own.id, world().devices[target].id] },
      }),
      prepare: free,
    },
    'Device/GetClientVersion': {
      allowed: [ADMIN, MANAGER, SEER],
      about: 'device',
      asked: (target) => ({ query: { deviceId: world().devices[target].id } }),
    },
    'Release/GetReleaseList': staff(() => ({})),
    'Release/UploadRelease': staff(
      () => ({ method: 'POST', body: upload }),
      async () => {
        versions++
        const contentBase64 = (await releaseFile(`1.0.${versions}`)).toString('base64')
        upload = { fileName: `wayside-client-1.0.${versions}.mjs`, contentBase64 }
      },
    ),
    'Release/DelRelease': staff(() => ({ query: { id: releaseId } }), free),
    'ClientUpdate/GetUpdateList': staff(() => ({})),
    'ClientUpdate/GetUpdate': staff(() => ({ query: { id: rolloutId } }), addRollout('running')),
    'ClientUpdate/GetUpdateDevices': staff(() => ({ query: { id: rolloutId } }), addRollout('running')),
    'ClientUpdate/PreviewUpdate': staff(() => ({ method: 'POST', body: plan() }), free),
    'ClientUpdate/CreateUpdate': staff(() => ({ method: 'POST', body: plan() }), free),
    'ClientUpdate/PauseUpdate': ofRollout('running'),
    'ClientUpdate/ResumeUpdate': ofRollout('halted'),
    'ClientUpdate/StopUpdate': ofRollout('running'),
    'ClientUpdate/LeaveOutDevice': staff(
      () => ({ method: 'POST', body: { id: rolloutId, deviceId: world().devices.own.id } }),
      addRollout('halted', 'waiting'),
    ),
    'ClientUpdate/RetryFailed': ofRollout('finished'),
  }
}
