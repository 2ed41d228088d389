import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useCall } from '#console/lib/call/useCall.ts'
import { confirmAndChange } from '#console/lib/confirmAndChange.ts'
import { useRecordDialog } from '#console/lib/list/useRecordDialog.ts'
import type { Address } from '#console/router/addressText.ts'
import { AsyncView } from '#console/ui/AsyncView.tsx'
import { AddButton } from '#console/ui/button/AddButton.tsx'
import { EmptyNote } from '#console/ui/notes.tsx'
import { Panel } from '#console/ui/Panel.tsx'
import { Screen } from '#console/ui/page/Screen.tsx'
import { buttonColumn } from '#console/ui/table/buttonColumn.tsx'
import { type Column, DataTable, type StackedCell } from '#console/ui/table/DataTable.tsx'
import { RowButton } from '#console/ui/table/RowButton.tsx'
import { textColumn } from '#console/ui/table/textColumn.ts'
import { deleteSignInProvider, listSignInProviders, type SignInProvider } from '#contract/http/people/singleSignOn.ts'
import { UNKNOWN_TEXT } from '#domain/units/numbers.ts'
import { providerMessages } from './providerMessages.ts'
import './providers.css'
import { lazyDialog } from '#console/ui/lazyDialog.tsx'

const ProviderModal = lazyDialog(() => import('./ProviderModal.tsx').then((part) => part.ProviderModal))

export function ProvidersScreen() {
  const providers = useCall(listSignInProviders, {})
  const { open, add, show, close, linkTo } = useRecordDialog(
    '/single-sign-on',
    providers.data?.providers,
    ({ id }) => id,
  )
  return (
    <Screen
      title="Single sign-on"
      actions={
        <AddButton
          actionId="provider.add"
          label="Add identity provider"
          searchTerms="new create single sign-on sso oidc openid entra okta keycloak google"
          onClick={add}
        >
          Add provider
        </AddButton>
      }
    >
      <Panel>
        <AsyncView query={providers}>
          {({ providers: rows }) =>
            rows.length === 0 ? (
              <EmptyNote title="There are no identity providers">
                <p>{providerMessages.none}</p>
              </EmptyNote>
            ) : (
              <ProviderTable providers={rows} linkTo={linkTo} onEdit={show} onDelete={(one) => void remove(one)} />
            )
          }
        </AsyncView>
      </Panel>
      {open && providers.data && (
        <ProviderModal provider={open.record} callback={providers.data.callback} onClose={close} />
      )}
    </Screen>
  )
}

const remove = ({ id, name }: SignInProvider) =>
  confirmAndChange(
    deleteSignInProvider,
    { body: { id } },
    {
      title: 'Delete identity provider',
      text: providerMessages.confirmDelete(name),
      isDangerous: true,
      done: providerMessages.deleted,
    },
  )

const whose = ({ customerId, customerName }: SignInProvider) => (customerId === null ? 'Staff' : customerName)
const domainsOf = ({ domains }: SignInProvider) => domains.join(', ') || UNKNOWN_TEXT
const stateOf = ({ isOn, isRequired }: SignInProvider) => (!isOn ? 'Off' : isRequired ? 'The only way in' : 'On')

const COLUMNS: readonly Column<SignInProvider>[] = [
  textColumn('whose', 'Whose users', whose, { widthPx: 150 }),
  textColumn('domains', 'Mail domains', domainsOf),
  textColumn('issuer', 'Issuer', ({ issuer }) => issuer, { leaves: 1, isDim: true }),
  { id: 'state', header: 'State', widthPx: 116, cell: stateOf },
  { id: 'users', header: 'Users', widthPx: 70, isRight: true, cell: ({ userCount }) => userCount },
]

const STACKED: StackedCell<SignInProvider> = {
  header: 'Identity provider',
  cell: (provider, name) => (
    <>
      <b>{name}</b>
      <span>
        {whose(provider)} · {domainsOf(provider)}
      </span>
      <span className="is-dim">
        {stateOf(provider)} · Users {provider.userCount}
      </span>
    </>
  ),
}

interface TableProps {
  readonly providers: readonly SignInProvider[]
  readonly linkTo: (provider: SignInProvider) => Address
  readonly onEdit: (provider: SignInProvider) => void
  readonly onDelete: (provider: SignInProvider) => void
}

function ProviderTable({ providers, linkTo, onEdit, onDelete }: TableProps) {
  const name = textColumn('name', 'Name', (provider: SignInProvider) => provider.name, {
    widthPx: 160,
    isStrong: true,
    to: linkTo,
  })
  const buttons = buttonColumn('Edit and delete', 84, (provider: SignInProvider) => (
    <>
      <RowButton name="Edit" of={provider.name} icon={IconPencil} onClick={() => onEdit(provider)} />
      <RowButton name="Delete" of={provider.name} icon={IconTrash} onClick={() => onDelete(provider)} />
    </>
  ))
  return (
    <DataTable
      label="Identity providers"
      columns={[name, ...COLUMNS, buttons]}
      stacked={STACKED}
      rows={providers}
      rowKey={({ id }) => id}
      onOpen={onEdit}
      minWidthPx={860}
    />
  )
}
