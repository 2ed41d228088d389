import { z } from 'zod'
import { call, nothing } from '#contract/call/call.ts'
import { momentValue, userIdValue } from '#contract/call/values.ts'

/** Rows of one kind, as they are kept, without secrets and without other people's data. */
const rows = z.array(z.record(z.string(), z.unknown()))

/** Everything that is kept about one person, the newest first. */
export const personalData = z.object({
  made: momentValue,
  /** The parts that had more than 20,000 rows, of which only the newest are here. */
  cutParts: z.array(z.string()),
  account: rows,
  sessions: rows,
  factors: rows,
  /** The person's identity at an identity provider. */
  identity: rows,
  /** The person's own tokens, and those that the person created for machines. */
  apiTokens: rows,
  /** Audit entries by the person. The entity is left out if it is another person. */
  deeds: rows,
  /** Audit entries by others about the person, without their authors. */
  aboutThePerson: rows,
  commands: rows,
  /** The person's actions and notes on alerts, incidents, visits and windows. */
  alerts: rows,
  ownedAlerts: rows,
  incidents: rows,
  ownedIncidents: rows,
  maintenance: rows,
  maintenanceWindows: rows,
  rotas: rows,
  rotaChanges: rows,
  channel: rows,
  views: rows,
  notices: rows,
  alertMails: rows,
  alertsTold: rows,
  incidentsOnCall: rows,
  maintenanceMails: rows,
  signInMails: rows,
  accountMails: rows,
  lightStatements: rows,
  lightRuleSets: rows,
  emergencies: rows,
  fieldVisits: rows,
})
export type PersonalData = z.output<typeof personalData>

export const downloadOwnPersonalData = call({
  method: 'GET',
  path: 'App/DownloadPersonalData',
  summary: 'Everything that is kept about oneself, as a file.',
  permission: 'signedIn',
  answer: personalData,
  changes: { action: 'Download', entity: 'User' },
  answersWith: 'file',
  stepUp: 'always',
})

export const downloadPersonalData = call({
  method: 'GET',
  path: 'AppUser/DownloadPersonalData',
  summary: 'Everything that is kept about one user, as a file.',
  permission: 'admin',
  query: z.strictObject({ id: userIdValue }),
  answer: personalData,
  errors: ['not_found'],
  changes: { action: 'Download', entity: 'User' },
  answersWith: 'file',
  stepUp: 'always',
})

export const erasePersonalData = call({
  method: 'POST',
  path: 'AppUser/ErasePersonalData',
  summary:
    'Delete a user and, within a minute, take name and addresses out of everything that is kept. Nothing brings them back.',
  permission: 'admin',
  body: z.strictObject({ id: userIdValue }),
  answer: nothing,
  errors: ['not_found', 'last_admin'],
  changes: { action: 'Delete', entity: 'User' },
  stepUp: 'always',
})
