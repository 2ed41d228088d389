import type { FunctionId } from '#domain/permissions/functions.ts'

export interface DemoUser {
  readonly username: string
  readonly firstName: string
  readonly lastName: string
  readonly roleName: string
  readonly functions: readonly FunctionId[]
  readonly customerName?: string
  readonly isLab?: boolean
}

export const DEMO_ADMIN = 'admin@demo.example'
export const DEMO_MANAGER = 'manager@demo.example'

/** The page calls itself an example. */
export const DEMO_SUPPORT_URL = 'https://example.com/'

/** A list of addresses identifies internal users; in the demo this one is on it. */
export const DEMO_INTERNAL_USERS: readonly string[] = ['internal@demo.example']

/** The demo has a user of each kind, so that one can see what each sees. */
export const DEMO_USERS: readonly DemoUser[] = [
  {
    username: DEMO_ADMIN,
    firstName: 'First',
    lastName: 'Administrator',
    roleName: 'Administrator',
    functions: [1, 7],
  },
  {
    username: DEMO_MANAGER,
    firstName: 'Marta',
    lastName: 'Horáková',
    roleName: 'Device manager',
    functions: [2, 3, 7],
  },
  {
    username: 'analyst@demo.example',
    firstName: 'Anders',
    lastName: 'Lie',
    roleName: 'Analyst',
    functions: [5],
  },
  {
    username: 'customer@demo.example',
    firstName: 'Klára',
    lastName: 'Veselá',
    roleName: 'Customer operator',
    functions: [2, 5, 7],
    customerName: 'Moravia City Media',
  },
  {
    username: 'lab@demo.example',
    firstName: 'Lars',
    lastName: 'Brandt',
    roleName: 'Engineer',
    functions: [2, 5],
    isLab: true,
  },
  {
    username: 'internal@demo.example',
    firstName: 'Inés',
    lastName: 'Navarro',
    roleName: 'Engineer',
    functions: [2, 5],
  },
  {
    username: 'nobody@demo.example',
    firstName: 'Νίκος',
    lastName: 'Παππάς',
    roleName: 'Mail recipient',
    functions: [7],
  },
]
