import { Button } from '@mantine/core'
import { IconPlus, IconShieldHalf } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { type Role, rolesOptions } from '../data/accounts.ts'
import { EmptyState } from '../parts/layout/empty-state.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { type Column, DataTable } from '../parts/lists/data-table.tsx'
import { entities } from './rights.ts'

export function RolesPage() {
  const { t } = useTranslation()
  const query = useQuery(rolesOptions)
  const columns = useColumns()
  return (
    <Page
      title={t('roles.title')}
      lead={t('roles.lead')}
      actions={(query.data?.length ?? 0) > 0 && <AddRole />}
    >
      <Loaded query={query}>
        {(roles) =>
          roles.length === 0 ? (
            <EmptyState icon={IconShieldHalf} title={t('roles.empty_title')} action={<AddRole />}>
              {t('roles.empty_text')}
            </EmptyState>
          ) : (
            <DataTable label={t('roles.title')} columns={columns} rows={roles} rowKey={({ id }) => id} />
          )
        }
      </Loaded>
    </Page>
  )
}

function AddRole() {
  const { t } = useTranslation()
  return (
    <Button component={Link} to="/settings/roles/new" leftSection={<IconPlus size={15} />}>
      {t('roles.add')}
    </Button>
  )
}

function useColumns(): Column<Role>[] {
  const { t } = useTranslation()
  return [
    {
      title: t('field.role'),
      cell: ({ id, name }) => (
        <Link to="/settings/roles/$roleId" params={{ roleId: String(id) }} data-row-link>
          {name}
        </Link>
      ),
    },
    {
      title: t('roles.people'),
      cell: ({ _embedded }) => t('roles.people_count', { count: _embedded?.users.length ?? 0 }),
    },
    ...entities.map(
      (entity): Column<Role> => ({
        title: t('roles.sees', { entity: t(`rights.entity.${entity}`) }),
        showFrom: 'wide',
        cell: ({ rights }) => t(`rights.width.${rights[entity].view}`),
      }),
    ),
  ]
}
