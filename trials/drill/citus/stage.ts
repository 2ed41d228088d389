import type pg from 'pg'
import type { CitusCluster, CitusDatabase } from '#server/testing/database/citusCluster.ts'
import type { Run } from '../../frame/Run.ts'
import type { FleetDevice } from '../load/FleetDevice.ts'
import type { Operators } from '../load/Operators.ts'
import type { ServerProgram } from '../servers/ServerProgram.ts'

export type CitusRun = Run<Readonly<{ seed: number; seconds: number; devices: number; postgres: string }>>

/** A server on a distributed database, with devices that report and operators who work meanwhile. */
export interface Stage {
  readonly run: CitusRun
  readonly cluster: CitusCluster
  readonly database: CitusDatabase
  readonly owner: pg.Pool
  readonly server: ServerProgram
  readonly devices: readonly FleetDevice[]
  readonly operators: Operators
  readonly token: string
}

export const acknowledgedBy = (devices: readonly FleetDevice[]) =>
  devices.reduce((sum, { acknowledged }) => sum + acknowledged.size, 0)
