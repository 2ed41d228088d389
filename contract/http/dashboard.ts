import { z } from 'zod'
import { call, nothing } from './call.ts'
import { customerFilterValue, instantValue, momentValue } from './values.ts'

export const ETL_STATUSES = ['READY', 'PROCESSING', 'FAILED'] as const

/** P1 §3 "ETL info": the hourly roll-up that analytics reads. */
export const etlInfo = z.object({ etl_status: z.enum(ETL_STATUSES), etl_last_refresh: momentValue.nullable() })
export type EtlInfo = z.output<typeof etlInfo>

export const getDashboardTable = call({
  method: 'GET',
  path: 'Dashboard/GetDashboardTable',
  summary: 'One table of the Overview. ETL_DB_INFO is for internal users and exempt from limits of the period.',
  permission: 'internal',
  query: z.strictObject({
    customerId: customerFilterValue.optional(),
    dateFrom: instantValue,
    dateTo: instantValue,
    table: z.enum(['ETL_DB_INFO']),
  }),
  body: nothing,
  answer: z.array(etlInfo),
  errors: ['not_found'],
})
