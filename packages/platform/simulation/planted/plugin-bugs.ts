import type { PlantedBug } from './plant.ts'

/** Bugs of what becomes of a plugin: its deployments, their files, its settings, and the bodies that they come in. */
export const pluginBugs: readonly PlantedBug[] = [
  {
    name: 'a deployment is live before the bytes of its files are stored',
    file: 'plugins/assets/assets.ts',
    find: `await putAll(each, blobs)`,
    replace: `void putAll(each, blobs).catch(() => {})`,
  },
  {
    name: 'the last file of a deployment is left out when it takes the place of another',
    file: 'plugins/deploy/deploy.ts',
    find: `...files.map((file) => insertFile(file, id, context)),`,
    replace: `...files.slice(0, former === null ? undefined : -1).map((file) => insertFile(file, id, context)),`,
  },
  {
    name: 'a file of a page is looked for in all deployments before its own',
    file: 'plugins/assets/find-file.ts',
    find: `WHERE account_id = ? AND deployment_id = ? AND path IN (?, ?, ?)`,
    replace: `WHERE account_id = ? AND deployment_id <= ? AND path IN (?, ?, ?) ORDER BY deployment_id DESC`,
  },
  {
    name: 'a page that was opened before a switch is given the files of the new version',
    file: 'plugins/assets/find-file.ts',
    find: `AND d.plugin_id = ? AND d.removed_at IS NULL AND f.path = ?`,
    replace: `AND d.plugin_id = ? AND d.removed_at IS NULL AND substr(f.path, 1, 11) = substr(?, 1, 11)`,
  },
  {
    name: 'a page that was opened before a switch does not find its files',
    file: 'plugins/serve/page.ts',
    find: `if (former !== null && isPublic(former)`,
    replace: `if (former === undefined && isPublic(former)`,
  },
  {
    name: 'a deployment of the same content again does not become active',
    file: 'plugins/deploy/deploy.ts',
    find: `const isSwitched = made.active && !former.active && !body.dryRun`,
    replace: `const isSwitched = made.active && !former.active && body.dryRun`,
  },
  {
    name: 'what an author sends replaces what the merchant has edited',
    file: 'plugins/settings/merge.ts',
    find: `live: { ...setting, value: toValue(result.live) },`,
    replace: `live: { ...setting, value: toValue(setting.value) },`,
  },
  {
    name: 'an edit of one name replaces its preset',
    file: 'plugins/settings/edit.ts',
    find: `value: patch === null ? null : mergePatch(target, patch) }`,
    replace: `value: patch === null ? null : mergePatch(undefined, patch) }`,
  },
  {
    name: 'a new version begins without the settings of the one before it',
    file: 'plugins/deploy/deploy.ts',
    find: `...(former === null ? carrySettings(deployment, context) : []),`,
    replace: ``,
  },
  {
    name: 'what takes the place of a version leaves its settings behind',
    file: 'plugins/deploy/deploy.ts',
    find: `[...takeOverSettings(former.id, id, context), ...movePointers(former, id, context)]`,
    replace: `movePointers(former, id, context)`,
  },
  {
    name: 'bytes that no deployment has are forgotten and stay',
    file: 'plugins/assets/blobs.ts',
    find: `await blobs.remove(sha256)`,
    replace: ``,
  },
  {
    name: 'a body for which there is no room is taken as empty',
    file: 'http/bodies/read-body.ts',
    find: `    room.takeMemory(announced)
    const body`,
    replace: `    try {
      room.takeMemory(announced)
    } catch {
      return resolve(Buffer.alloc(0))
    }
    const body`,
  },
  {
    name: 'a body that breaks off is taken as whole',
    file: 'http/bodies/read-body.ts',
    find: `request.complete || reject(brokenOff())`,
    replace: `resolve(body.whole())`,
  },
  {
    name: 'what a file that breaks off holds is never given back',
    file: 'http/operations/asset-upload.ts',
    find: `.finally(() => room.leave())`,
    replace: `.then((stored) => room.leave().then(() => stored))`,
  },
]
