import { Checkbox, Modal, NumberInput, Stack, Switch, TextInput } from '@mantine/core'
import { messages } from '#console/lib/call/messages.ts'
import { readSession } from '#console/lib/call/sessionStore.ts'
import { useCall } from '#console/lib/call/useCall.ts'
import { useCallForm } from '#console/lib/form/useCallForm.ts'
import { keepUserFresh } from '#console/lib/session/session.ts'
import { LOOKUP_FRESH_MS } from '#console/pickers/lookupFresh.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { ModalForm } from '#console/ui/form/ModalForm.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import {
  type AppRole,
  getRole,
  LONGEST_FACTOR_GRACE_DAYS,
  listFunctions,
  setRole,
} from '#contract/http/people/roles.ts'
import { FUNCTION, type FunctionId } from '#domain/permissions/functions.ts'
import './roles.css'

interface Props {
  /** A new role has none. */
  readonly role: AppRole | undefined
  readonly onClose: () => void
}

/** "Add role" and "Edit role" share one form (rules/people 9). */
export function RoleModal({ role, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title={role ? 'Edit role' : 'Add role'} size={350}>
      {role ? <KnownRole id={role.id} onClose={onClose} /> : <RoleForm full={undefined} onClose={onClose} />}
    </Modal>
  )
}

function KnownRole({ id, onClose }: { readonly id: AppRole['id']; readonly onClose: () => void }) {
  const full = useCall(getRole, { id, getFullData: true })
  // A role read for an earlier visit may be old, and saving it would undo what others did since.
  if (!full.isFetchedAfterMount) return <Skeleton />
  return <AsyncView query={full}>{(found) => <RoleForm full={found} onClose={onClose} />}</AsyncView>
}

/** After two weeks everybody on holiday is back. */
const FACTOR_GRACE_DAYS = 14

const GRACE_LIMITS = { size: 'xs', min: 0, max: LONGEST_FACTOR_GRACE_DAYS, allowDecimal: false } as const

/** It explains a function where its name does not. */
const EXPLANATIONS: Readonly<Record<number, string>> = {
  [FUNCTION.admin]: 'Everything, and Administration',
  [FUNCTION.deviceManager]: 'Overview, devices, alerts, audit log',
  [FUNCTION.seeDevices]: 'Sees overview, devices and alerts, and changes nothing',
  [FUNCTION.createDevice]: 'Adds devices',
  [FUNCTION.analytics]: 'Charts of what devices measure',
  [FUNCTION.receiveEmailNotifications]: 'Alert e-mails',
  [FUNCTION.sendStatements]: 'Staff: mails light statements every month',
}

interface FormProps {
  /** The role includes its functions; absent means a new role. */
  readonly full: AppRole | undefined
  readonly onClose: () => void
}

function RoleForm({ full, onClose }: FormProps) {
  const functions = useCall(listFunctions, {}, { freshMs: LOOKUP_FRESH_MS })
  const graceDays = full?.factorGraceDays ?? null
  const { field, switchField, values, set, submit, isBusy } = useCallForm(setRole, {
    labels: {
      name: 'Role name',
      roleFunctions: 'Functions:',
      allowsAssistants: 'Assistants (MCP)',
      requiresBoundSession: 'Only sessions bound to a browser',
      factorGraceDays: 'Days until they have to have one',
    },
    initial: {
      allowsAssistants: full?.allowsAssistants ?? false,
      name: full?.name ?? '',
      roleFunctions: (full?.roleFunctions ?? []).map(({ functionId }) => String(functionId)),
      requiresBoundSession: full?.requiresBoundSession ?? false,
      factorGraceDays: graceDays as number | null,
    },
    content: ({ name, roleFunctions, allowsAssistants, requiresBoundSession, factorGraceDays }) => ({
      id: full?.id ?? 0,
      name: name.trim(),
      allowsAssistants,
      roleFunctions: roleFunctions.map((id) => ({ functionId: Number(id) as FunctionId })),
      requiresBoundSession,
      ...(factorGraceDays !== graceDays && { factorGraceDays }),
    }),
    refusals: { role_name_taken: 'name' },
    answersIdOf: 'Role',
    saved: messages.roleSaved,
    onSaved: (id) => {
      if (id === readSession()?.user.roleId) keepUserFresh()
      onClose()
    },
  })
  return (
    <ModalForm onSubmit={submit} isBusy={isBusy} submitLabel="Ok" onCancel={onClose}>
      <TextInput {...field('name')} data-autofocus />
      <Checkbox.Group {...field('roleFunctions')}>
        <Stack gap={10} mt={6}>
          {(functions.data ?? []).map(({ id, name }) => (
            <Checkbox key={id} size="xs" value={String(id)} label={name} description={EXPLANATIONS[id]} />
          ))}
        </Stack>
      </Checkbox.Group>
      <fieldset className="role-sign-in">
        <legend className="field-label">Sign-in</legend>
        <Stack gap={10}>
          <Switch
            {...switchField('requiresBoundSession')}
            size="xs"
            description="Sessions work only in the browser that signed in. Scripts cannot sign in with a password."
          />
          <Switch
            {...switchField('allowsAssistants')}
            size="xs"
            checked={values.allowsAssistants}
            description="Their API tokens may be used by assistants"
          />
          <FactorSwitch
            isOn={values.factorGraceDays !== null}
            onChange={(factorGraceDays) => set({ factorGraceDays })}
          />
          {values.factorGraceDays !== null && <NumberInput {...field('factorGraceDays')} {...GRACE_LIMITS} />}
        </Stack>
      </fieldset>
    </ModalForm>
  )
}

interface FactorSwitchProps {
  readonly isOn: boolean
  readonly onChange: (graceDays: number | null) => void
}

const FactorSwitch = ({ isOn, onChange }: FactorSwitchProps) => (
  <Switch
    size="xs"
    label="People with this role need a second factor"
    checked={isOn}
    onChange={({ currentTarget }) => onChange(currentTarget.checked ? FACTOR_GRACE_DAYS : null)}
  />
)
