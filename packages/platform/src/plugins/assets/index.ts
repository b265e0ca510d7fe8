export {
  cannotStore,
  nameAssets,
  ownAsset,
  requireRoomForFiles,
  sizesOfStored,
  storeAssets,
  uploadAssets,
} from './assets.ts'
export { blobSweeper, holdBlobs, storerOf } from './blobs.ts'
export { type DeployedFile, isDocument, readFiles } from './files.ts'
export { findFile, findFormerFile, isContentHashed, type ServedFile } from './find-file.ts'
export { findPicture, picturePath } from './pictures.ts'
