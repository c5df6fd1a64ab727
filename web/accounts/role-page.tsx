import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, useRouter } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { denied } from '../../src/accounts/members/right-types.ts'
import { addRole, patchRole, type Role, removeRole, rolesOptions } from '../data/accounts.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { InUse } from '../parts/dialogs/in-use.tsx'
import forms from '../parts/forms/form.module.css'
import { NewButtons } from '../parts/forms/new-buttons.tsx'
import { SaveBar } from '../parts/forms/save-bar.tsx'
import { useAction } from '../parts/forms/use-action.ts'
import { useForm, useStored } from '../parts/forms/use-form.ts'
import { useSubmit } from '../parts/forms/use-submit.ts'
import { Callout } from '../parts/layout/callout.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { changesOf } from './rights.ts'
import { RoleFields } from './role-fields.tsx'

const route = getRouteApi('/shell/settings/roles/$roleId')

export function RolePage() {
  const { t } = useTranslation()
  const { roleId } = route.useParams()
  const query = useQuery(rolesOptions)
  const role = query.data?.find(({ id }) => String(id) === roleId)
  return (
    <Page
      title={role?.name ?? t('field.role')}
      lead={role && t('roles.people_count', { count: role._embedded?.users.length ?? 0 })}
      back={{ to: '/settings/roles', label: t('roles.title') }}
      actions={role && <RemoveRole role={role} />}
    >
      <Loaded query={query}>
        {() =>
          role ? (
            <RoleEditor key={role.id} role={role} />
          ) : (
            <Callout tone="warn" title={t('problems.not_found')} />
          )
        }
      </Loaded>
    </Page>
  )
}

function RoleEditor({ role }: { role: Role }) {
  const { t } = useTranslation()
  const stored = { name: role.name, rights: role.rights }
  const form = useRoleForm(stored)
  useStored(form, stored)
  const { submit, pending, error } = useSubmit(form, patchRole, {
    done: t('app.saved'),
    onDone: ({ name, rights }, sent) => form.restart({ name, rights }, sent),
  })
  const changes = changesOf(form.values, stored)
  return (
    <form noValidate onSubmit={form.onSubmit(() => submit({ id: role.id, ...changes }))}>
      <RoleFields form={form} error={error} />
      <SaveBar
        shown={Object.keys(changes).length > 0}
        pending={pending}
        onDiscard={() => form.restart(stored)}
      />
    </form>
  )
}

export function NewRolePage() {
  const { t } = useTranslation()
  const router = useRouter()
  const form = useRoleForm({ name: '', rights: denied })
  const { submit, pending, error } = useSubmit(form, addRole, {
    done: t('roles.added'),
    onDone: () => router.navigate({ to: '/settings/roles' }),
  })
  return (
    <Page
      title={t('roles.add')}
      lead={t('roles.new_lead')}
      back={{ to: '/settings/roles', label: t('roles.title') }}
    >
      <form noValidate onSubmit={form.onSubmit(submit)}>
        <RoleFields form={form} error={error} />
        <div className={`${forms.end} ${forms.under}`}>
          <NewButtons action={t('roles.create')} pending={pending} back="/settings/roles" />
        </div>
      </form>
    </Page>
  )
}

function useRoleForm(initialValues: Pick<Role, 'name' | 'rights'>) {
  const { t } = useTranslation()
  return useForm({
    initialValues,
    validate: { name: (value) => (value.trim() ? null : t('faults.NotBlank')) },
  })
}

export type RoleForm = ReturnType<typeof useRoleForm>

function RemoveRole({ role }: { role: Role }) {
  const { t } = useTranslation()
  const [asking, setAsking] = useState(false)
  const Asked = role._embedded?.users.length ? RoleInUse : ConfirmRemoval
  return (
    <>
      <Button variant="default" onClick={() => setAsking(true)}>
        {t('roles.remove')}
      </Button>
      {asking && (
        <Asked
          role={role}
          title={t('roles.remove_title', { name: role.name })}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}

interface AskedProps {
  role: Role
  title: string
  onClose: () => void
}

function RoleInUse({ title, onClose }: AskedProps) {
  const { t } = useTranslation()
  return (
    <InUse title={title} link={{ to: '/settings/people' }} action={t('people.title')} onClose={onClose}>
      {t('problems.role_in_use')}
    </InUse>
  )
}

function ConfirmRemoval({ role, title, onClose }: AskedProps) {
  const { t } = useTranslation()
  const router = useRouter()
  const remove = useAction(removeRole, t('roles.removed'))
  return (
    <Confirm
      opened
      title={title}
      action={t('roles.remove')}
      pending={remove.pending}
      onConfirm={() =>
        remove.run(role.id, () => router.navigate({ to: '/settings/roles', ignoreBlocker: true }))
      }
      onClose={onClose}
    >
      <p>{t('roles.remove_text')}</p>
    </Confirm>
  )
}
