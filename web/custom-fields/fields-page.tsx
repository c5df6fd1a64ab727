import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { getRouteApi, Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { accountOptions } from '../data/accounts.ts'
import { catalogsOptions } from '../data/catalogs.ts'
import type { FieldGroup } from '../data/field-changes.ts'
import { fieldGroupsOptions } from '../data/field-groups.ts'
import { type CustomField, fieldsOptions } from '../data/fields.ts'
import { type Collection, cardKinds, elementsOf } from '../data/records.ts'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import tabs from '../parts/layout/tabs.module.css'
import { FieldDialog } from './field-dialog.tsx'
import { AddFieldGroup, FieldGroups } from './field-groups.tsx'
import { RemoveField } from './remove-field.tsx'

const route = getRouteApi('/shell/settings/fields')

/** The settings of the fields of each kind of record. */
export function FieldsPage() {
  const { t } = useTranslation()
  const recordTypes = useRecordTypes()
  const { of } = route.useSearch()
  const recordType = recordTypes.find(({ collection }) => collection === of) ?? recordTypes[0]
  const collection = recordType?.collection ?? 'leads'
  const [adding, setAdding] = useState<string | null>()
  return (
    <Page
      title={t('fields.title')}
      lead={t('fields.lead')}
      actions={
        <Button leftSection={<IconPlus size={15} aria-hidden />} onClick={() => setAdding(null)}>
          {t('fields.add')}
        </Button>
      }
    >
      <RecordTypeTabs recordTypes={recordTypes} current={collection} />
      <Fields key={collection} collection={collection} onAdd={setAdding} />
      {adding !== undefined && (
        <FieldDialog collection={collection} group_id={adding} onClose={() => setAdding(undefined)} />
      )}
    </Page>
  )
}

interface RecordType {
  collection: Collection
  title: string
}

/** The kinds of records that have fields. Customers are left out if the account does not use them. */
function useRecordTypes(): RecordType[] {
  const { t } = useTranslation()
  const { data: account } = useQuery(accountOptions)
  const { data: catalogs = [] } = useQuery(catalogsOptions)
  const hasCustomers = account?.customers_mode !== 'disabled'
  return [
    ...cardKinds
      .filter((kind) => kind !== 'customers' || hasCustomers)
      .map((kind): RecordType => ({ collection: kind, title: t(`nav.${kind}`) })),
    ...catalogs.map(({ id, name }): RecordType => ({ collection: elementsOf(id), title: name })),
  ]
}

function RecordTypeTabs({ recordTypes, current }: { recordTypes: RecordType[]; current: Collection }) {
  const { t } = useTranslation()
  return (
    <nav className={tabs.tabs} aria-label={t('fields.record_type')}>
      {recordTypes.map(({ collection, title }) => (
        <Link
          key={collection}
          to="/settings/fields"
          search={{ of: collection }}
          className={tabs.tab}
          activeProps={{}}
          aria-current={collection === current ? 'page' : undefined}
        >
          {title}
        </Link>
      ))}
    </nav>
  )
}

function Fields({ collection, onAdd }: { collection: Collection; onAdd: (group_id: string | null) => void }) {
  const fields = useQuery(fieldsOptions(collection))
  const groups = useQuery(fieldGroupsOptions(collection))
  const [editing, edit] = useState<CustomField>()
  const [removing, askRemove] = useState<CustomField>()
  const close = () => {
    edit(undefined)
    askRemove(undefined)
  }
  const shown: FieldGroup[] | undefined = groups.data
  return (
    <Loaded query={fields} rows={6}>
      {(list) => (
        <Loaded query={{ ...groups, data: shown }} rows={6}>
          {(inGroups) => (
            <>
              <FieldGroups
                collection={collection}
                fields={list}
                groups={inGroups}
                onAdd={onAdd}
                onEdit={edit}
                onRemove={askRemove}
              />
              <AddFieldGroup collection={collection} groups={inGroups} />
              {editing && <FieldDialog collection={collection} field={editing} onClose={close} />}
              {removing && <RemoveField collection={collection} field={removing} onClose={close} />}
            </>
          )}
        </Loaded>
      )}
    </Loaded>
  )
}
