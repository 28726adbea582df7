; Debug information of C++, with types that have identifiers.
source_filename = "debug.ll"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"

%struct.box = type { i32 }
%struct.point = type { i32, i32 }

$_ZNK5point3sumEv = comdat any

$_ZN3boxIiE5twiceEv = comdat any

define noundef i32 @_Z3useRK5pointi(ptr noundef nonnull align 4 dereferenceable(8) %0, i32 noundef %1) #0 !dbg !7 {
  %3 = alloca ptr, align 8
  %4 = alloca i32, align 4
  %5 = alloca %struct.box, align 4
  %6 = alloca i32, align 4
  %7 = alloca i32, align 4
  %8 = alloca i32, align 4
  store ptr %0, ptr %3, align 8
    #dbg_declare(ptr %3, !22, !DIExpression(), !41)
  store i32 %1, ptr %4, align 4
    #dbg_declare(ptr %4, !23, !DIExpression(), !42)
  call void @llvm.lifetime.start.p0(i64 4, ptr %5) #3, !dbg !43
    #dbg_declare(ptr %5, !24, !DIExpression(), !44)
  %9 = getelementptr inbounds %struct.box, ptr %5, i32 0, i32 0, !dbg !45
  %10 = load i32, ptr %4, align 4, !dbg !46
  store i32 %10, ptr %9, align 4, !dbg !45
  call void @llvm.lifetime.start.p0(i64 4, ptr %6) #3, !dbg !47
    #dbg_declare(ptr %6, !34, !DIExpression(), !48)
  store i32 0, ptr %6, align 4, !dbg !48
  call void @llvm.lifetime.start.p0(i64 4, ptr %7) #3, !dbg !49
    #dbg_declare(ptr %7, !35, !DIExpression(), !50)
  store i32 0, ptr %7, align 4, !dbg !50
  br label %11, !dbg !49

11:
  %12 = load i32, ptr %7, align 4, !dbg !51
  %13 = load i32, ptr %4, align 4, !dbg !52
  %14 = icmp slt i32 %12, %13, !dbg !53
  br i1 %14, label %16, label %15, !dbg !54

15:
  call void @llvm.lifetime.end.p0(i64 4, ptr %7) #3, !dbg !55
  br label %29

16:
  call void @llvm.lifetime.start.p0(i64 4, ptr %8) #3, !dbg !56
    #dbg_declare(ptr %8, !37, !DIExpression(), !57)
  %17 = load ptr, ptr %3, align 8, !dbg !58
  %18 = call noundef i32 @_ZNK5point3sumEv(ptr noundef nonnull align 4 dereferenceable(8) %17), !dbg !59
  %19 = load i32, ptr %7, align 4, !dbg !60
  %20 = mul nsw i32 %18, %19, !dbg !61
  store i32 %20, ptr %8, align 4, !dbg !57
  %21 = load i32, ptr %8, align 4, !dbg !62
  %22 = call noundef i32 @_ZN3boxIiE5twiceEv(ptr noundef nonnull align 4 dereferenceable(4) %5), !dbg !63
  %23 = xor i32 %21, %22, !dbg !64
  %24 = load i32, ptr %6, align 4, !dbg !65
  %25 = add nsw i32 %24, %23, !dbg !65
  store i32 %25, ptr %6, align 4, !dbg !65
  call void @llvm.lifetime.end.p0(i64 4, ptr %8) #3, !dbg !66
  br label %26, !dbg !67

26:
  %27 = load i32, ptr %7, align 4, !dbg !68
  %28 = add nsw i32 %27, 1, !dbg !68
  store i32 %28, ptr %7, align 4, !dbg !68
  br label %11, !dbg !55, !llvm.loop !69

29:
  %30 = load i32, ptr %6, align 4, !dbg !72
  call void @llvm.lifetime.end.p0(i64 4, ptr %6) #3, !dbg !73
  call void @llvm.lifetime.end.p0(i64 4, ptr %5) #3, !dbg !73
  ret i32 %30, !dbg !74
}

declare void @llvm.lifetime.start.p0(i64 immarg, ptr nocapture) #1

define linkonce_odr noundef i32 @_ZNK5point3sumEv(ptr noundef nonnull align 4 dereferenceable(8) %0) #2 comdat align 2 !dbg !75 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !77, !DIExpression(), !79)
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds %struct.point, ptr %3, i32 0, i32 0, !dbg !80
  %5 = load i32, ptr %4, align 4, !dbg !80
  %6 = getelementptr inbounds %struct.point, ptr %3, i32 0, i32 1, !dbg !81
  %7 = load i32, ptr %6, align 4, !dbg !81
  %8 = add nsw i32 %5, %7, !dbg !82
  ret i32 %8, !dbg !83
}

define linkonce_odr noundef i32 @_ZN3boxIiE5twiceEv(ptr noundef nonnull align 4 dereferenceable(4) %0) #2 comdat align 2 !dbg !84 {
  %2 = alloca ptr, align 8
  store ptr %0, ptr %2, align 8
    #dbg_declare(ptr %2, !86, !DIExpression(), !88)
  %3 = load ptr, ptr %2, align 8
  %4 = getelementptr inbounds %struct.box, ptr %3, i32 0, i32 0, !dbg !89
  %5 = load i32, ptr %4, align 4, !dbg !89
  %6 = mul nsw i32 %5, 2, !dbg !90
  ret i32 %6, !dbg !91
}

declare void @llvm.lifetime.end.p0(i64 immarg, ptr nocapture) #1

attributes #0 = { mustprogress uwtable }
attributes #1 = { nocallback nofree nosync nounwind willreturn memory(argmem: readwrite) }
attributes #2 = { mustprogress nounwind uwtable }
attributes #3 = { nounwind }

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2, !3, !4, !5, !6}

!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus_14, file: !1, producer: "clang", isOptimized: true, runtimeVersion: 0, emissionKind: FullDebug, splitDebugInlining: false, nameTableKind: None)
!1 = !DIFile(filename: "dbg.cpp", directory: ".", checksumkind: CSK_MD5, checksum: "aa0c551c6cad0e7f5b16147f74b628c2")
!2 = !{i32 7, !"Dwarf Version", i32 5}
!3 = !{i32 2, !"Debug Info Version", i32 3}
!4 = !{i32 1, !"wchar_size", i32 4}
!5 = !{i32 8, !"PIC Level", i32 2}
!6 = !{i32 7, !"uwtable", i32 2}
!7 = distinct !DISubprogram(name: "use", linkageName: "_Z3useRK5pointi", scope: !1, file: !1, line: 3, type: !8, scopeLine: 3, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, retainedNodes: !21)
!8 = !DISubroutineType(types: !9)
!9 = !{!10, !11, !10}
!10 = !DIBasicType(name: "int", size: 32, encoding: DW_ATE_signed)
!11 = !DIDerivedType(tag: DW_TAG_reference_type, baseType: !12, size: 64)
!12 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !13)
!13 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "point", file: !1, line: 1, size: 64, flags: DIFlagTypePassByValue, elements: !14, identifier: "_ZTS5point")
!14 = !{!15, !16, !17}
!15 = !DIDerivedType(tag: DW_TAG_member, name: "x", scope: !13, file: !1, line: 1, baseType: !10, size: 32)
!16 = !DIDerivedType(tag: DW_TAG_member, name: "y", scope: !13, file: !1, line: 1, baseType: !10, size: 32, offset: 32)
!17 = !DISubprogram(name: "sum", linkageName: "_ZNK5point3sumEv", scope: !13, file: !1, line: 1, type: !18, scopeLine: 1, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!18 = !DISubroutineType(types: !19)
!19 = !{!10, !20}
!20 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !12, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!21 = !{!22, !23, !24, !34, !35, !37}
!22 = !DILocalVariable(name: "p", arg: 1, scope: !7, file: !1, line: 3, type: !11)
!23 = !DILocalVariable(name: "n", arg: 2, scope: !7, file: !1, line: 3, type: !10)
!24 = !DILocalVariable(name: "b", scope: !7, file: !1, line: 4, type: !25)
!25 = distinct !DICompositeType(tag: DW_TAG_structure_type, name: "box<int>", file: !1, line: 2, size: 32, flags: DIFlagTypePassByValue, elements: !26, templateParams: !32, identifier: "_ZTS3boxIiE")
!26 = !{!27, !28}
!27 = !DIDerivedType(tag: DW_TAG_member, name: "value", scope: !25, file: !1, line: 2, baseType: !10, size: 32)
!28 = !DISubprogram(name: "twice", linkageName: "_ZN3boxIiE5twiceEv", scope: !25, file: !1, line: 2, type: !29, scopeLine: 2, flags: DIFlagPrototyped, spFlags: DISPFlagOptimized)
!29 = !DISubroutineType(types: !30)
!30 = !{!10, !31}
!31 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !25, size: 64, flags: DIFlagArtificial | DIFlagObjectPointer)
!32 = !{!33}
!33 = !DITemplateTypeParameter(name: "T", type: !10)
!34 = !DILocalVariable(name: "total", scope: !7, file: !1, line: 5, type: !10)
!35 = !DILocalVariable(name: "i", scope: !36, file: !1, line: 6, type: !10)
!36 = distinct !DILexicalBlock(scope: !7, file: !1, line: 6, column: 3)
!37 = !DILocalVariable(name: "step", scope: !38, file: !1, line: 6, type: !40)
!38 = distinct !DILexicalBlock(scope: !39, file: !1, line: 6, column: 31)
!39 = distinct !DILexicalBlock(scope: !36, file: !1, line: 6, column: 3)
!40 = !DIDerivedType(tag: DW_TAG_const_type, baseType: !10)
!41 = !DILocation(line: 3, column: 22, scope: !7)
!42 = !DILocation(line: 3, column: 29, scope: !7)
!43 = !DILocation(line: 4, column: 3, scope: !7)
!44 = !DILocation(line: 4, column: 12, scope: !7)
!45 = !DILocation(line: 4, column: 13, scope: !7)
!46 = !DILocation(line: 4, column: 14, scope: !7)
!47 = !DILocation(line: 5, column: 3, scope: !7)
!48 = !DILocation(line: 5, column: 7, scope: !7)
!49 = !DILocation(line: 6, column: 8, scope: !36)
!50 = !DILocation(line: 6, column: 12, scope: !36)
!51 = !DILocation(line: 6, column: 19, scope: !39)
!52 = !DILocation(line: 6, column: 23, scope: !39)
!53 = !DILocation(line: 6, column: 21, scope: !39)
!54 = !DILocation(line: 6, column: 3, scope: !36)
!55 = !DILocation(line: 6, column: 3, scope: !39)
!56 = !DILocation(line: 6, column: 33, scope: !38)
!57 = !DILocation(line: 6, column: 43, scope: !38)
!58 = !DILocation(line: 6, column: 50, scope: !38)
!59 = !DILocation(line: 6, column: 52, scope: !38)
!60 = !DILocation(line: 6, column: 60, scope: !38)
!61 = !DILocation(line: 6, column: 58, scope: !38)
!62 = !DILocation(line: 6, column: 72, scope: !38)
!63 = !DILocation(line: 6, column: 81, scope: !38)
!64 = !DILocation(line: 6, column: 77, scope: !38)
!65 = !DILocation(line: 6, column: 69, scope: !38)
!66 = !DILocation(line: 6, column: 90, scope: !39)
!67 = !DILocation(line: 6, column: 90, scope: !38)
!68 = !DILocation(line: 6, column: 26, scope: !39)
!69 = distinct !{!69, !54, !70, !71}
!70 = !DILocation(line: 6, column: 90, scope: !36)
!71 = !{!"llvm.loop.mustprogress"}
!72 = !DILocation(line: 7, column: 10, scope: !7)
!73 = !DILocation(line: 8, column: 1, scope: !7)
!74 = !DILocation(line: 7, column: 3, scope: !7)
!75 = distinct !DISubprogram(name: "sum", linkageName: "_ZNK5point3sumEv", scope: !13, file: !1, line: 1, type: !18, scopeLine: 1, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, declaration: !17, retainedNodes: !76)
!76 = !{!77}
!77 = !DILocalVariable(name: "this", arg: 1, scope: !75, type: !78, flags: DIFlagArtificial | DIFlagObjectPointer)
!78 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !12, size: 64)
!79 = !DILocation(line: 0, scope: !75)
!80 = !DILocation(line: 1, column: 51, scope: !75)
!81 = !DILocation(line: 1, column: 55, scope: !75)
!82 = !DILocation(line: 1, column: 53, scope: !75)
!83 = !DILocation(line: 1, column: 44, scope: !75)
!84 = distinct !DISubprogram(name: "twice", linkageName: "_ZN3boxIiE5twiceEv", scope: !25, file: !1, line: 2, type: !29, scopeLine: 2, flags: DIFlagPrototyped | DIFlagAllCallsDescribed, spFlags: DISPFlagDefinition | DISPFlagOptimized, unit: !0, declaration: !28, retainedNodes: !85)
!85 = !{!86}
!86 = !DILocalVariable(name: "this", arg: 1, scope: !84, type: !87, flags: DIFlagArtificial | DIFlagObjectPointer)
!87 = !DIDerivedType(tag: DW_TAG_pointer_type, baseType: !25, size: 64)
!88 = !DILocation(line: 0, scope: !84)
!89 = !DILocation(line: 2, column: 60, scope: !84)
!90 = !DILocation(line: 2, column: 66, scope: !84)
!91 = !DILocation(line: 2, column: 53, scope: !84)
