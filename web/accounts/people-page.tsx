import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type User, usersOptions } from '../data/accounts.ts'
import { rowsOf } from '../data/row-lists.ts'
import { matches, SearchBox } from '../parts/forms/search-box.tsx'
import { Loaded } from '../parts/layout/loaded.tsx'
import { Page } from '../parts/layout/page.tsx'
import { Status } from '../parts/layout/status.tsx'
import { type Column, DataTable } from '../parts/lists/data-table.tsx'
import classes from './people.module.css'
import { PersonCell } from './person-cell.tsx'

export function PeoplePage() {
  const { t } = useTranslation()
  const query = useInfiniteQuery(usersOptions)
  const [typed, setTyped] = useState('')
  return (
    <Page
      title={t('people.title')}
      lead={t('people.lead')}
      actions={
        <Button component={Link} to="/settings/people/new" leftSection={<IconPlus size={15} />}>
          {t('people.add')}
        </Button>
      }
    >
      <div className={classes.tools}>
        <SearchBox label={t('people.search')} value={typed} onChange={setTyped} />
      </div>
      <Loaded query={query} rows={5}>
        {(list) => <PeopleTable people={rowsOf(list)} typed={typed} />}
      </Loaded>
      {query.hasNextPage && (
        <Button
          variant="default"
          className={classes.more}
          loading={query.isFetchingNextPage}
          onClick={() => query.fetchNextPage()}
        >
          {t('act.load_more')}
        </Button>
      )}
    </Page>
  )
}

function PeopleTable({ people, typed }: { people: User[]; typed: string }) {
  const { t } = useTranslation()
  const columns = useColumns()
  const shown = people.filter(({ name, email }) => matches(typed, name, email))
  if (shown.length === 0) return <p className={classes.nothing}>{t('app.nothing_found', { typed })}</p>
  return <DataTable label={t('people.title')} columns={columns} rows={shown} rowKey={({ id }) => id} />
}

function useColumns(): Column<User>[] {
  const { t } = useTranslation()
  const roleOf = useRoleText()
  return [
    { title: t('people.column.name'), cell: (user) => <PersonCell user={user} /> },
    { title: t('people.column.role'), showFrom: 'medium', clip: true, cell: roleOf },
    {
      title: t('people.column.group'),
      showFrom: 'wide',
      clip: true,
      cell: ({ rights, _embedded }) =>
        _embedded?.groups?.find(({ id }) => id === rights.group_id)?.name ?? t('groups.default'),
    },
    {
      title: t('people.column.state'),
      cell: ({ rights }) =>
        rights.is_active ? (
          <Status tone="good">{t('people.active')}</Status>
        ) : (
          <Status tone="off">{t('people.inactive')}</Status>
        ),
    },
  ]
}

function useRoleText() {
  const { t } = useTranslation()
  return ({ rights, _embedded }: User) => {
    if (rights.is_admin) return t('people.administrator')
    return _embedded?.roles?.find(({ id }) => id === rights.role_id)?.name ?? t('people.own_rights')
  }
}
