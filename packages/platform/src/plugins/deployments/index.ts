export { activate, rollback } from './activation.ts'
export { activationWrites, archive, holdSwitch, movePointers, requireIdle } from './activation.ts'
export {
  type Deployment,
  deploymentsById,
  findActive,
  findVersion,
  holdDeployment,
  holdStanding,
  listDeployments,
  listManaged,
  managedDeployment,
  requireAny,
  requireDeployment,
  requireEditable,
  requirePlugin,
  requireRoomForDeployment,
  toResource,
} from './deployments.ts'
export { formerPictureWrites, pictureWrites } from './picture-writes.ts'
export { bringOnline, takeOffline } from './offline.ts'
export { remove, restore, sweepRemoved } from './remove.ts'
