/** Predicts by the rules of managing people what would happen, in memory, to compare the real calls with. */
export interface ModelUser {
  readonly functionsFrom: number
  readonly isOurs: boolean
  readonly isDisabled: boolean
  readonly isDeleted: boolean
  /** The test holds a session of this user. */
  readonly isSignedIn: boolean
}

export interface ModelRole {
  readonly functions: readonly number[]
  readonly isDeleted: boolean
}

/** Users and roles are named by their place in a list. */
export interface People {
  readonly users: readonly ModelUser[]
  readonly roles: readonly ModelRole[]
}

export type Step = { readonly caller: number } & (
  | { readonly kind: 'disable' | 'enable' | 'delete' | 'toCustomer' | 'toStaff'; readonly user: number }
  | { readonly kind: 'give'; readonly user: number; readonly role: number }
  | { readonly kind: 'strip' | 'arm' | 'remove'; readonly role: number }
)

interface Outcome {
  readonly status: number
  readonly people: People
}

const ADMIN = 1
const functionsOf = ({ roles }: People, user: ModelUser) => roles[user.functionsFrom]?.functions ?? []

export const hasAdmin = (people: People): boolean =>
  people.users.some(
    (user) => !user.isDeleted && !user.isDisabled && !user.isOurs && functionsOf(people, user).includes(ADMIN),
  )

/** Returns the answer of one call, and the state afterwards. */
function outcomeOf(people: People, step: Step): Outcome {
  const refused = (status: number): Outcome => ({ status, people })
  const caller = people.users[step.caller]
  if (!caller?.isSignedIn || caller.isDeleted || caller.isDisabled) return refused(401)
  const held = functionsOf(people, caller)
  if (!held.includes(ADMIN)) return refused(403)
  const after = 'user' in step ? afterUserStep(people, step, caller, held) : afterRoleStep(people, step, caller)
  if (typeof after === 'number') return refused(after)
  return hasAdmin(people) && !hasAdmin(after) ? refused(409) : { status: 200, people: after }
}

type UserStep = Extract<Step, { readonly user: number }>
type RoleStep = Exclude<Step, UserStep>

function afterUserStep(people: People, step: UserStep, caller: ModelUser, held: readonly number[]): People | number {
  const user = people.users[step.user]
  if (!user || user.isDeleted || (caller.isOurs && !user.isOurs)) return 404
  const mayGrant = (functions: readonly number[]) => !caller.isOurs || functions.every((one) => held.includes(one))
  if (!mayGrant(functionsOf(people, user))) return 403
  const become = (change: Partial<ModelUser>): People => ({
    ...people,
    users: people.users.map((one, index) => (index === step.user ? { ...one, ...change } : one)),
  })
  switch (step.kind) {
    case 'disable':
      return become({ isDisabled: true, isSignedIn: user.isDisabled ? user.isSignedIn : false })
    case 'enable':
      return become({ isDisabled: false })
    case 'delete':
      return become({ isDeleted: true, isSignedIn: false })
    case 'toCustomer':
      return become({ isOurs: true })
    case 'toStaff':
      return become({ isOurs: caller.isOurs })
    case 'give': {
      const role = people.roles[step.role]
      if (step.role === user.functionsFrom) return people
      return !role || role.isDeleted || !mayGrant(role.functions) ? 404 : become({ functionsFrom: step.role })
    }
  }
}

function afterRoleStep(people: People, step: RoleStep, caller: ModelUser): People | number {
  if (caller.isOurs) return 403
  const role = people.roles[step.role]
  if (!role || role.isDeleted) return 404
  const become = (change: Partial<ModelRole>): People => ({
    ...people,
    roles: people.roles.map((one, index) => (index === step.role ? { ...one, ...change } : one)),
  })
  if (step.kind === 'strip') return become({ functions: [] })
  if (step.kind === 'arm') return become({ functions: [ADMIN] })
  const isInUse = people.users.some(({ functionsFrom, isDeleted }) => functionsFrom === step.role && !isDeleted)
  return isInUse ? 409 : become({ isDeleted: true })
}

/** True when some order of these steps gives these answers and ends in this state. */
export function isExplained(
  before: People,
  made: readonly { readonly step: Step; readonly status: number }[],
  after: People,
): boolean {
  if (made.length === 0) return JSON.stringify(before) === JSON.stringify(after)
  return made.some(({ step, status }, index) => {
    const outcome = outcomeOf(before, step)
    return outcome.status === status && isExplained(outcome.people, made.toSpliced(index, 1), after)
  })
}
