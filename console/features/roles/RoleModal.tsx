import { Button, Checkbox, Group, Modal, Stack, TextInput } from '@mantine/core'
import { useForm } from '@mantine/form'
import { messages } from '#console/lib/messages.ts'
import { keepUserFresh } from '#console/lib/session.ts'
import { readSession } from '#console/lib/sessionStore.ts'
import { toasts } from '#console/lib/toasts.ts'
import { useCall, useChange } from '#console/lib/useCall.ts'
import { LOOKUP_FRESH_MS } from '#console/pickers/LookupPicker.tsx'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { Skeleton } from '#console/ui/Skeleton.tsx'
import { type AppRole, getRole, LONGEST_ROLE_NAME, listFunctions, listRoles, setRole } from '#contract/http/appRole.ts'
import { listUsers } from '#contract/http/appUser.ts'
import { FUNCTION, type FunctionId } from '#domain/permissions/functions.ts'
import { required } from '#domain/validation/messages.ts'

interface Props {
  /** Absent: a new one. */
  readonly role: AppRole | undefined
  readonly onClose: () => void
}

/** "Add role" and "Edit role", 350 wide (P2 §2, §9). */
export function RoleModal({ role, onClose }: Props) {
  return (
    <Modal opened onClose={onClose} title={role ? 'Edit role' : 'Add role'} size={350}>
      {role ? <KnownRole id={role.id} onClose={onClose} /> : <RoleForm full={undefined} onClose={onClose} />}
    </Modal>
  )
}

function KnownRole({ id, onClose }: { readonly id: AppRole['id']; readonly onClose: () => void }) {
  const full = useCall(getRole, { id, getFullData: true })
  // What was read for an earlier visit may be old, and saving it would undo what others did since.
  if (!full.isFetchedAfterMount) return <Skeleton />
  return <AsyncView query={full}>{(found) => <RoleForm full={found} onClose={onClose} />}</AsyncView>
}

interface Values {
  readonly name: string
  readonly functionIds: readonly string[]
}

/** What a function is for, where its name does not say it. */
const EXPLANATIONS: Readonly<Record<number, string>> = {
  [FUNCTION.admin]: 'Everything, and Administration',
  [FUNCTION.deviceManager]: 'Overview, devices, alerts, audit log',
  [FUNCTION.createDevice]: 'Adds devices',
  [FUNCTION.analytics]: 'Charts of what devices measure',
  [FUNCTION.receiveEmailNotifications]: 'Alert e-mails',
}

interface FormProps {
  /** With its functions; absent for a new one. */
  readonly full: AppRole | undefined
  readonly onClose: () => void
}

function RoleForm({ full, onClose }: FormProps) {
  const functions = useCall(listFunctions, {}, { freshMs: LOOKUP_FRESH_MS })
  const form = useForm<Values>({
    initialValues: {
      name: full?.name ?? '',
      functionIds: (full?.roleFunctions ?? []).map(({ functionId }) => String(functionId)),
    },
    validate: { name: (name) => (name.trim() === '' ? required('Role name') : null) },
  })
  const save = useChange(setRole, {
    refreshes: [listRoles, getRole, listUsers],
    showsFailure: true,
    onDone: (id) => {
      if (!(id > 0)) return toasts.error(messages.noIdReturned('Role'))
      toasts.success(messages.roleSaved)
      if (id === readSession()?.user.roleId) keepUserFresh()
      onClose()
    },
  })
  const submit = ({ name, functionIds }: Values) => {
    const roleFunctions = functionIds.map((id) => ({ functionId: Number(id) as FunctionId }))
    save.mutate(
      { body: { id: full?.id ?? 0, name: name.trim(), roleFunctions } },
      {
        onError: (failure) => {
          if (failure.code === 'role_name_taken') form.setErrors({ name: failure.message })
          else toasts.failure(failure)
        },
      },
    )
  }
  return (
    <form noValidate onSubmit={form.onSubmit(submit)}>
      <Stack gap="md">
        <TextInput
          label="Role name"
          withAsterisk
          data-autofocus
          maxLength={LONGEST_ROLE_NAME}
          {...form.getInputProps('name')}
        />
        <Checkbox.Group
          label="Functions:"
          value={[...form.values.functionIds]}
          onChange={(ids) => form.setFieldValue('functionIds', ids)}
        >
          <Stack gap={10} mt={6}>
            {(functions.data ?? []).map(({ id, name }) => (
              <Checkbox key={id} size="xs" value={String(id)} label={name} description={EXPLANATIONS[id]} />
            ))}
          </Stack>
        </Checkbox.Group>
        <Group justify="flex-end" gap="sm">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" loading={save.isPending}>
            Ok
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
