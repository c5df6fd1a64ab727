import { ActionIcon, Button, TextInput } from '@mantine/core'
import { IconPencil, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addGroup, type Group, groupsOptions, removeGroup, renameGroup } from '../data/accounts.ts'
import { Confirm } from '../parts/dialogs/confirm.tsx'
import { NameDialog } from '../parts/dialogs/name-dialog.tsx'
import forms from '../parts/forms/form.module.css'
import { useAction } from '../parts/forms/use-action.ts'
import { useForm } from '../parts/forms/use-form.ts'
import { useSubmit } from '../parts/forms/use-submit.ts'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { ProblemCallout } from '../parts/layout/problem-callout.tsx'
import { Tag } from '../parts/layout/status.tsx'
import { DataTable } from '../parts/lists/data-table.tsx'
import classes from './groups.module.css'

export function GroupsPage() {
  const { t } = useTranslation()
  const query = useQuery(groupsOptions)
  return (
    <Page title={t('groups.title')} lead={t('groups.lead')}>
      <AddGroup />
      <Loaded query={query} rows={3}>
        {(groups) => <GroupTable groups={groups} />}
      </Loaded>
    </Page>
  )
}

function AddGroup() {
  const { t } = useTranslation()
  const form = useForm({
    initialValues: { name: '' },
    validate: { name: (value) => (value.trim() ? null : t('faults.NotBlank')) },
  })
  const { submit, pending, error } = useSubmit(form, addGroup, {
    done: t('groups.added'),
    onDone: () => form.reset(),
  })
  return (
    <form noValidate className={forms.form} onSubmit={form.onSubmit(submit)}>
      <ProblemCallout error={error} />
      <div className={classes.add}>
        <TextInput
          aria-label={t('groups.name')}
          placeholder={t('groups.name')}
          maxLength={255}
          {...form.getInputProps('name')}
        />
        <Button type="submit" loading={pending}>
          {t('groups.add')}
        </Button>
      </div>
    </form>
  )
}

/** Group 0 contains everyone who is in no other group, so it cannot be deleted. */
function GroupTable({ groups }: { groups: Group[] }) {
  const { t } = useTranslation()
  const [renaming, setRenaming] = useState<Group>()
  const [removing, setRemoving] = useState<Group>()
  return (
    <>
      <DataTable
        label={t('groups.title')}
        rows={groups}
        rowKey={({ id }) => id}
        columns={[
          {
            title: t('field.group'),
            cell: ({ id, name }) => (
              <span className={classes.name}>
                {name} {id === 0 && <Tag>{t('groups.default_tag')}</Tag>}
              </span>
            ),
          },
          {
            title: t('groups.actions'),
            actions: true,
            cell: (group) => <GroupButtons group={group} onRename={setRenaming} onRemove={setRemoving} />,
          },
        ]}
      />
      {renaming && (
        <NameDialog
          title={t('groups.rename')}
          name={renaming.name}
          onSave={(name) => renameGroup(renaming.id, name)}
          onClose={() => setRenaming(undefined)}
        />
      )}
      <RemoveGroup group={removing} onClose={() => setRemoving(undefined)} />
    </>
  )
}

interface GroupButtonsProps {
  group: Group
  onRename: (group: Group) => void
  onRemove: (group: Group) => void
}

function GroupButtons({ group, onRename, onRemove }: GroupButtonsProps) {
  const { t } = useTranslation()
  return (
    <span className={classes.buttons}>
      <ActionIcon
        variant="subtle"
        color="gray"
        onClick={() => onRename(group)}
        aria-label={t('groups.rename_of', { name: group.name })}
        title={t('groups.rename_of', { name: group.name })}
      >
        <IconPencil size={16} />
      </ActionIcon>
      {group.id !== 0 && (
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={() => onRemove(group)}
          aria-label={t('groups.remove_of', { name: group.name })}
          title={t('groups.remove_of', { name: group.name })}
        >
          <IconTrash size={16} />
        </ActionIcon>
      )}
    </span>
  )
}

function RemoveGroup({ group, onClose }: { group: Group | undefined; onClose: () => void }) {
  const { t } = useTranslation()
  const remove = useAction(removeGroup, t('groups.removed'))
  return (
    <Confirm
      opened={group !== undefined}
      title={t('groups.remove_title', { name: group?.name ?? '' })}
      action={t('groups.remove')}
      pending={remove.pending}
      onConfirm={() => group && remove.run(group.id, onClose)}
      onClose={onClose}
    >
      <p>{t('groups.remove_text')}</p>
    </Confirm>
  )
}
