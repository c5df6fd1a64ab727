import { Button, Menu } from '@mantine/core'
import { IconChevronDown, IconUsers } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { sessionOptions } from '../../data/session.ts'
import { keepView, removeView, type View, viewsOptions } from '../../data/views.ts'
import { Confirm } from '../dialogs/confirm.tsx'
import { useAction } from '../forms/use-action.ts'
import type { Search } from './filter.ts'
import classes from './saved-views.module.css'
import { type NamedView, ViewDialog } from './view-dialog.tsx'

interface SavedViewsProps {
  /** The list that the views belong to: `leads`, `tasks`, `lists/12`. */
  page: string
  search: Search
}

/** The saved views of a list as tabs, and a button that saves the current one. */
export function SavedViews({ page, search }: SavedViewsProps) {
  const { t } = useTranslation()
  const { data = [] } = useQuery(viewsOptions)
  const [naming, setNaming] = useState<NamedView>()
  const views = data.filter((view) => view.page === page)
  const open = views.find(({ id }) => String(id) === search.view)
  const kept = textOf(search)
  const differs = open !== undefined && kept !== textOf(searchOf(open))
  return (
    <div className={classes.bar}>
      {views.length > 0 && (
        <Tabs views={views} open={open} search={search} onRename={(view) => setNaming({ view })} />
      )}
      {differs && <SaveChanges view={open} search={kept} />}
      {(open ? differs : isWorthKeeping(search)) && (
        <Button
          variant="subtle"
          color="gray"
          size="xs"
          className={classes.save}
          onClick={() => setNaming({ page, search: kept })}
        >
          {t(differs ? 'views.save_as' : 'views.save')}
        </Button>
      )}
      <ViewDialog of={naming} onClose={() => setNaming(undefined)} />
    </div>
  )
}

interface TabsProps {
  views: View[]
  open: View | undefined
  search: Search
  onRename: (view: View) => void
}

function Tabs({ views, open, search, onRename }: TabsProps) {
  const { t } = useTranslation()
  return (
    <nav className={classes.views} aria-label={t('views.label')}>
      <Tab search={search.shape ? { shape: search.shape } : {}} isOpen={!open && !isWorthKeeping(search)}>
        {t('views.all')}
      </Tab>
      {views.map((view) => (
        <span key={view.id} className={classes.view} data-open={view === open || undefined}>
          <Tab search={{ ...searchOf(view), view: String(view.id) }} isOpen={view === open}>
            {view.is_shared && <IconUsers size={13} stroke={1.7} aria-label={t('views.shared')} />}
            <span className={classes.name} title={view.name}>
              {view.name}
            </span>
          </Tab>
          {view === open && <ViewMenu view={view} onRename={() => onRename(view)} />}
        </span>
      ))}
    </nav>
  )
}

/** Returns the parameters that a view saves, in a fixed order. */
const textOf = (search: Search): string => {
  const kept = Object.entries(search).filter(([name, value]) => name !== 'view' && value !== '')
  return new URLSearchParams(kept.sort(([a], [b]) => (a < b ? -1 : 1))).toString()
}
/** The choice between board and list alone is not a view. */
const isWorthKeeping = (search: Search) =>
  Object.keys(search).some((name) => name !== 'view' && name !== 'shape')

const searchOf = ({ search }: View): Record<string, string> => Object.fromEntries(new URLSearchParams(search))

function Tab({ search, isOpen, children }: { search: Search; isOpen: boolean; children: ReactNode }) {
  return (
    <Link
      to="."
      search={search as never}
      className={classes.tab}
      data-open={isOpen || undefined}
      // All views are on the same page, so the complete address decides which one is active.
      activeOptions={{ exact: true, includeSearch: true }}
    >
      {children}
    </Link>
  )
}

/** Returns whether the reader can change a view: their own, or a shared one as an administrator. */
function useCanKeep(view: View): { canKeep: boolean; canShare: boolean } {
  const { data: session } = useQuery(sessionOptions)
  const canShare = session?.account?.is_admin === true
  return { canShare, canKeep: !view.is_shared || canShare }
}

function SaveChanges({ view, search }: { view: View; search: string }) {
  const { t } = useTranslation()
  const save = useAction(keepView, t('app.saved'))
  const { canKeep } = useCanKeep(view)
  if (!canKeep) return null
  return (
    <Button
      variant="subtle"
      size="xs"
      className={classes.save}
      loading={save.pending}
      onClick={() => save.run({ id: view.id, search })}
    >
      {t('views.save_changes')}
    </Button>
  )
}

function ViewMenu({ view, onRename }: { view: View; onRename: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [asks, setAsks] = useState(false)
  const share = useAction(keepView, t(view.is_shared ? 'views.taken_back' : 'views.shared_now'))
  const remove = useAction(removeView, t('views.removed'))
  const { canKeep, canShare } = useCanKeep(view)
  if (!canKeep) return null
  return (
    <>
      <Menu position="bottom-start">
        <Menu.Target>
          <button type="button" className={classes.more} aria-label={t('views.menu', { name: view.name })}>
            <IconChevronDown size={14} aria-hidden />
          </button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={onRename}>{t('views.rename')}</Menu.Item>
          {canShare && (
            <Menu.Item onClick={() => share.run({ id: view.id, is_shared: !view.is_shared })}>
              {t(view.is_shared ? 'views.take_back' : 'views.share')}
            </Menu.Item>
          )}
          <Menu.Item color="danger" onClick={() => setAsks(true)}>
            {t('views.remove')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      <Confirm
        opened={asks}
        title={t('views.remove_title', { name: view.name })}
        action={t('views.remove')}
        pending={remove.pending}
        onClose={() => setAsks(false)}
        onConfirm={() =>
          remove.run(view.id, () => navigate({ to: '.', search: searchOf(view) as never, replace: true }))
        }
      >
        {t(view.is_shared ? 'views.remove_shared_text' : 'views.remove_text')}
      </Confirm>
    </>
  )
}
